/** The larger municipalities by the code that the DIAN takes from the DANE; of any other the department is named. */
const large = [
  "05001 Medellín|05045 Apartadó|05088 Bello|05129 Caldas|05148 El Carmen de Viboral|05154 Caucasia",
  "05212 Copacabana|05266 Envigado|05308 Girardota|05318 Guarne|05360 Itagüí|05376 La Ceja|05380 La Estrella",
  "05440 Marinilla|05615 Rionegro|05631 Sabaneta|05837 Turbo|08001 Barranquilla|08433 Malambo",
  "08573 Puerto Colombia|08638 Sabanalarga|08758 Soledad|11001 Bogotá, D. C.|13001 Cartagena de Indias",
  "13052 Arjona|13430 Magangué|13836 Turbaco|15001 Tunja|15176 Chiquinquirá|15238 Duitama|15759 Sogamoso",
  "17001 Manizales|17174 Chinchiná|17380 La Dorada|17873 Villamaría|18001 Florencia|19001 Popayán",
  "19698 Santander de Quilichao|20001 Valledupar|20011 Aguachica|23001 Montería|23162 Cereté|23417 Lorica",
  "23660 Sahagún|25126 Cajicá|25175 Chía|25269 Facatativá|25286 Funza|25290 Fusagasugá|25307 Girardot",
  "25430 Madrid|25473 Mosquera|25754 Soacha|25899 Zipaquirá|27001 Quibdó|41001 Neiva|41298 Garzón",
  "41551 Pitalito|44001 Riohacha|44430 Maicao|47001 Santa Marta|47189 Ciénaga|50001 Villavicencio",
  "50006 Acacías|52001 Pasto|52356 Ipiales|52835 Tumaco|54001 Cúcuta|54405 Los Patios|54498 Ocaña",
  "54518 Pamplona|54874 Villa del Rosario|63001 Armenia|63130 Calarcá|66001 Pereira|66170 Dosquebradas",
  "66682 Santa Rosa de Cabal|68001 Bucaramanga|68081 Barrancabermeja|68276 Floridablanca|68307 Girón",
  "68547 Piedecuesta|68679 San Gil|70001 Sincelejo|73001 Ibagué|73268 Espinal|76001 Cali|76109 Buenaventura",
  "76111 Buga|76147 Cartago|76364 Jamundí|76520 Palmira|76834 Tuluá|76892 Yumbo|81001 Arauca|85001 Yopal",
  "86001 Mocoa|88001 San Andrés|91001 Leticia|94001 Inírida|95001 San José del Guaviare|97001 Mitú",
  "99001 Puerto Carreño",
];

const departments = [
  "05 Antioquia|08 Atlántico|11 Bogotá, D. C.|13 Bolívar|15 Boyacá|17 Caldas|18 Caquetá|19 Cauca|20 Cesar",
  "23 Córdoba|25 Cundinamarca|27 Chocó|41 Huila|44 La Guajira|47 Magdalena|50 Meta|52 Nariño",
  "54 Norte de Santander|63 Quindío|66 Risaralda|68 Santander|70 Sucre|73 Tolima|76 Valle del Cauca|81 Arauca",
  "85 Casanare|86 Putumayo|88 San Andrés y Providencia|91 Amazonas|94 Guainía|95 Guaviare|97 Vaupés",
  "99 Vichada",
];

const byCode = (lines: readonly string[]) =>
  new Map(
    lines
      .flatMap((line) => line.split("|"))
      .map((one) => [one.slice(0, one.indexOf(" ")), one.slice(one.indexOf(" ") + 1)]),
  );
const names = byCode(large);
const departmentNames = byCode(departments);

/** "Medellín, Antioquia", "Municipio 05002, Antioquia", or the code of no department as it is. */
export function municipalityName(code: string): string {
  const department = departmentNames.get(code.slice(0, 2));
  if (code.length !== 5 || department === undefined) return code;
  const name = names.get(code);
  return name === department ? name : `${name ?? `Municipio ${code}`}, ${department}`;
}
