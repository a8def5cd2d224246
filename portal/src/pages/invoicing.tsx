import { Heading } from "../ui/parts.tsx";
import { FiscalProfileSection } from "./fiscal-profile.tsx";
import { NumberingRanges } from "./numbering-ranges.tsx";

export default function Invoicing() {
  return (
    <>
      <Heading title="Facturación" lead="Los datos ante la DIAN y los números con los que salen sus documentos." />
      <FiscalProfileSection />
      <NumberingRanges />
    </>
  );
}
