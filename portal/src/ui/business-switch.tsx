import { Menu, UnstyledButton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Session } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { enterBusiness } from "../lib/client.ts";
import { Icon } from "./icons.tsx";
import { useNotify } from "./notices.tsx";
import { plainText } from "./plain-text.ts";

/** The business one is in; of somebody with several, a menu to go to another. */
export function BusinessSwitch({ session }: { session: Session }) {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const others = session.businesses.filter(({ id }) => id !== session.account.id);
  const switching = useMutation({
    mutationFn: (id: string) => post("/session/account", { account_id: id }),
    onError: (error) => notify(plainText(error.message)),
    async onSuccess() {
      await enterBusiness();
      navigate("/");
    },
  });
  const name = (
    <strong className="header-name" data-testid="business">
      {session.account.name}
    </strong>
  );
  if (others.length === 0) return name;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <UnstyledButton className="business-switch" aria-label={`${session.account.name}: cambiar de negocio`}>
          {name}
          <Icon name="down" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Sus otros negocios</Menu.Label>
        {others.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => switching.mutate(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
