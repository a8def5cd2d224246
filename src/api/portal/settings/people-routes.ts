import { maxEmailLength } from "../../../access/accounts/password.ts";
import { changeMember, removeMember } from "../../../access/people/change-members.ts";
import { invite, withdrawInvitation } from "../../../access/people/invite.ts";
import { maxPersonName } from "../../../access/people/person.ts";
import { renamePerson } from "../../../access/people/rename-person.ts";
import { allRights } from "../../../access/people/rights.ts";
import { deleteRole, saveRole } from "../../../access/people/roles.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label, nullable, oneOf, uuid } from "../../../engine/resources/fields.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { readPeople } from "./people.ts";
import { actorOf } from "./session-routes.ts";

const closed = { additionalProperties: false };
const given = {
  role: Type.String({ minLength: 1, maxLength: 40 }),
  location_ids: nullable(Type.Array(uuid(), { maxItems: 100 })),
};
const Invitation = Type.Object(
  { email: Type.String({ format: "email", maxLength: maxEmailLength }), ...given },
  closed,
);
const Given = Type.Object(given, closed);
const OwnRole = Type.Object(
  {
    name: label(60),
    rights: Type.Array(oneOf(allRights), { minItems: 1, maxItems: allRights.length, uniqueItems: true }),
  },
  closed,
);
const Name = Type.Object({ name: label(maxPersonName) }, closed);
const toManage = { right: "people" } as const;

/** Who belongs to the business, as what, and who is invited. */
export function peopleRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/people",
    { config: toManage },
    async ({ session }): Promise<Answers["GET /people"]> => ({
      object: "list",
      ...(await readPeople(deps.pool, session, deps.clock.now())),
    }),
  );
  app.patch("/people/:id", { config: toManage, schema: { params: ById, body: Given } }, async (request, reply) => {
    await changeMember(deps, request.session, request.params.id.toLowerCase(), request.body, actorOf(request));
    return reply.code(204).send();
  });
  app.delete("/people/:id", { config: toManage, schema: { params: ById } }, async (request, reply) => {
    await removeMember(deps, request.session, request.params.id.toLowerCase(), actorOf(request));
    return reply.code(204).send();
  });
  app.post("/people/invitations", { config: toManage, schema: { body: Invitation } }, async (request, reply) => {
    const { email, ...role } = request.body;
    const invited = { email: email.trim(), ...role };
    return reply.code(201).send(await invite(deps, request.session, invited, actorOf(request)));
  });
  app.delete("/people/invitations/:id", { config: toManage, schema: { params: ById } }, async (request, reply) => {
    await withdrawInvitation(deps, request.session, request.params.id, actorOf(request));
    return reply.code(204).send();
  });
  roleRoutes(app, deps);
  ownRoutes(app, deps);
}

function roleRoutes(app: TypedApp, deps: Deps): void {
  app.post("/roles", { config: toManage, schema: { body: OwnRole } }, async (request, reply) => {
    const role = { ...request.body, id: null, name: request.body.name.trim() };
    return reply.code(201).send(await saveRole(deps, request.session, role, actorOf(request)));
  });
  app.put("/roles/:id", { config: toManage, schema: { params: ById, body: OwnRole } }, (request) => {
    const role = { ...request.body, id: request.params.id.toLowerCase(), name: request.body.name.trim() };
    return saveRole(deps, request.session, role, actorOf(request));
  });
  app.delete("/roles/:id", { config: toManage, schema: { params: ById } }, async (request, reply) => {
    await deleteRole(deps, request.session, request.params.id, actorOf(request));
    return reply.code(204).send();
  });
}

/** What everybody may do about herself. */
function ownRoutes(app: TypedApp, deps: Deps): void {
  app.patch("/person", { config: { right: "anyone" }, schema: { body: Name } }, async (request, reply) => {
    await renamePerson(deps, request.session, request.body.name.trim(), actorOf(request));
    return reply.code(204).send();
  });
  app.delete("/membership", { config: { right: "anyone" } }, async (request, reply) => {
    await removeMember(deps, request.session, request.session.personId, actorOf(request));
    return reply.code(204).send();
  });
}
