import { encode } from "uqr";
import type { Block } from "../../../register/paper.ts";

/** A ticket as it is printed; also what the browser prints. */
export function Paper({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="paper">
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a ticket have no identity but their place
        <BlockView key={i} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "rule":
      return <hr />;
    case "qr":
      return <Qr text={block.text} />;
    case "row":
    case "total":
      return (
        <p className={block.kind}>
          <span>{block.left}</span>
          <span>{block.right}</span>
        </p>
      );
    default:
      return <p className={block.kind}>{block.text}</p>;
  }
}

/** Drawn as one path: sharp at any size, and no image for the content policy to allow. */
function Qr({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="Código QR del documento">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
