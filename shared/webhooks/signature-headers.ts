type SignatureHeaderReading = {
  readonly webhookId?: string;
  readonly timestamp?: string;
  readonly signature?: string;
  readonly isMisnamed: boolean;
};

const headerOf = {
  webhookId: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** The name of a header in messages of a format. The signature's scheme is the same in both. */
export const inFormat = (name: string, format: 'resend' | undefined): string =>
  format === undefined ? name : name.replace('webhook-', 'svix-');

/**
 * The format that a body was written in. The endpoint's may have changed since. An erasure keeps the order of fields.
 *
 * @param body as stored
 */
export const formatOf = (body: string): 'resend' | undefined =>
  /^\{"type":"[^"]*","created_at":/.test(body) ? 'resend' : undefined;

/**
 * Ignores case. Also reads the names that gateways and other services use (`HTTP_WEBHOOK_ID`, `x-webhook-id`,
 * `svix-id`), and reports them.
 *
 * @param format of the endpoint's messages: Resend's have other names.
 */
export function readSignatureHeaders(
  headers: Readonly<Record<string, string>>,
  format?: 'resend',
): SignatureHeaderReading {
  const exact = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  const similar = new Map([...exact].map(([name, value]) => [properNameOf(name), value] as const));
  const reading = Object.entries(headerOf).flatMap(([field, name]) => {
    const value = exact.get(inFormat(name, format)) ?? similar.get(name);
    return value === undefined ? [] : [[field, value] as const];
  });
  const isMisnamed = Object.values(headerOf).some(
    (name) => similar.has(name) && !exact.has(inFormat(name, format)),
  );
  return { ...Object.fromEntries(reading), isMisnamed };
}

const properNameOf = (name: string): string =>
  name
    .replaceAll('_', '-')
    .replace(/^(?:http-|x-)+/, '')
    .replace(/^(?:svix|webhooks?|standard-webhooks?)-/, 'webhook-');
