export { Mostrador } from "./client.ts";
export type * from "./contract.ts";
export { MostradorError, WebhookSignatureError } from "./errors.ts";
export type { EventType, FollowedPage, MostradorEvent } from "./events.ts";
export type { List, Page } from "./list.ts";
export type { FetchLike, Options } from "./send.ts";
export type { Changes } from "./sync.ts";
export { parseWebhook, receiveWebhook, verifyWebhook, type WebhookEvent } from "./webhooks.ts";
