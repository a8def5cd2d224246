import { Loading } from "../ui/parts.tsx";
import { Home } from "./home.tsx";
import StartPage, { useStart } from "./start.tsx";

/** What an owner sees first: the first steps until they are done or put away, then how the business goes. */
export function FirstPage() {
  const start = useStart();
  if (start.isPending) return <Loading />;
  const isNew = start.data !== undefined && !start.data.is_done && !start.data.is_hidden;
  return isNew ? <StartPage /> : <Home />;
}
