import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** 192 random bits (Standard Webhooks, "Signature scheme": 24 to 64 bytes). */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(24).toString('base64')}`;

/** The timestamp is in epoch seconds. */
type SignatureHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

/** Signs with each secret: HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks, "Webhook headers"). */
export function signMessage(
  messageId: string,
  body: string,
  secrets: readonly string[],
  now: number,
): SignatureHeaders {
  const timestamp = `${Math.floor(now / 1000)}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    const mac = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
