export { deliverMail } from './deliver-mail.ts';
export { deliverWebhook, labelOf } from './deliver-webhook.ts';
export type { WebhookTarget } from './deliver-webhook.ts';
export type { Delivery } from './delivery.ts';
export { createLogMail, createNoMail, createSmtpMail } from './mail.ts';
export type { MailMessage, SendMail } from './mail.ts';
export type { Message } from './message.ts';
export { createWebhookSecret } from './shapes/standard-shape.ts';
