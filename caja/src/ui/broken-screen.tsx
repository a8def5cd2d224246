import { Message } from "../screens/message.tsx";

/** What is left to say when a screen cannot be drawn. What was charged is in the browser's database, not in the screen. */
export function BrokenScreen() {
  return (
    <Message title="La pantalla falló">
      <p>Lo vendido está guardado en este equipo. Cargue la caja de nuevo.</p>
      <p>Si vuelve a pasar, avise a quien administra el servicio antes de borrar nada del navegador.</p>
      <button type="button" className="primary big" onClick={() => location.reload()}>
        Cargar de nuevo
      </button>
    </Message>
  );
}
