/** The service is of an earlier version than this app. */
export function OldService({ what }: { what: string }) {
  return (
    <div className="list">
      <p className="notice">
        El servicio es de una versión anterior y todavía no conoce {what}. Pida a quien lo administra que lo actualice;
        mientras tanto, todo lo demás funciona.
      </p>
    </div>
  );
}
