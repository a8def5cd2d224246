export { Mostrador } from "./client.js";
export { MostradorError, WebhookSignatureError } from "./errors.js";
export { parseWebhook, receiveWebhook, verifyWebhook } from "./webhooks.js";
