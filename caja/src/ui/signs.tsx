import { LineIcon } from "../../../ui/line-icon.tsx";

const Sign = (props: { path: string; isFull?: boolean }) => <LineIcon size={24} weight={2} {...props} />;

export const CloseSign = () => <Sign path="M6 6l12 12M18 6L6 18" />;
export const CameraSign = () => <Sign path="M3 8h4l2-3h6l2 3h4v11H3zM8.5 13a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0" />;
export const PriceSign = () => <Sign path="M3 12V4h8l10 10-8 8zM6.3 8.5a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0" />;
export const FreeLineSign = () => <Sign path="M4 20h16M5 15l10-10 3 3L8 18l-4 1z" />;
export const StarSign = ({ isFull }: { isFull: boolean }) => (
  <Sign path="M12 3.5l2.6 5.3 5.9.9-4.2 4.1 1 5.8-5.3-2.8-5.3 2.8 1-5.8L3.5 9.7l5.9-.9z" isFull={isFull} />
);
