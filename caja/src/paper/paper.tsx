import type { Block } from "../../../register/paper.ts";
import { Qr } from "../../../ui/qr.tsx";

/** A ticket as it is printed; also what the browser prints. */
export function Paper({ blocks, hidesDrawer = false }: { blocks: readonly Block[]; hidesDrawer?: boolean }) {
  return (
    <div className={hidesDrawer ? "paper hides-drawer" : "paper"}>
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
      return (
        <div className="qr">
          <Qr text={block.text} label={block.says} />
        </div>
      );
    case "row":
    case "total":
      return (
        <p className={block.isOfDrawer ? `${block.kind} of-drawer` : block.kind}>
          <span>{block.left}</span>
          <span>{block.right}</span>
        </p>
      );
    case "title":
    case "strong":
    case "item":
    case "center":
    case "text":
    case "code":
      return <p className={block.kind}>{block.text}</p>;
  }
}
