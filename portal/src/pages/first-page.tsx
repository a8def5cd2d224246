import { useMay } from "../lib/queries.ts";
import { Loading } from "../ui/parts.tsx";
import { Home } from "./home.tsx";
import StartPage, { useStart } from "./start.tsx";

/** What an owner sees first: the first steps until the business sells or they are put away, then how it goes. */
export function FirstPage() {
  const start = useStart();
  const may = useMay();
  if (start.isPending) return <Loading />;
  const sells = start.data?.steps.some(({ step, is_done }) => step === "sale" && is_done);
  const isNew = may("settings:write") && start.data !== undefined && !sells && !start.data.is_hidden;
  return isNew ? <StartPage /> : <Home />;
}
