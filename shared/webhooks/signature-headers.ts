/** What a receiver's headers say of a message. A name is absent when no header says it. */
export type SignatureHeaderReading = {
  readonly webhookId?: string;
  readonly timestamp?: string;
  readonly signature?: string;
  /** Whether one of them has another name than it should have. */
  readonly isMisnamed: boolean;
};

const headerOf = {
  webhookId: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/**
 * Reads the headers of Standard Webhooks, in any case. It understands names that gateways and other services
 * make of them (`HTTP_WEBHOOK_ID`, `x-webhook-id`, `svix-id`), and says so.
 */
export function readSignatureHeaders(
  headers: Readonly<Record<string, string>>,
): SignatureHeaderReading {
  const exact = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  const similar = new Map([...exact].map(([name, value]) => [properNameOf(name), value] as const));
  const reading = Object.entries(headerOf).flatMap(([field, name]) => {
    const value = exact.get(name) ?? similar.get(name);
    return value === undefined ? [] : [[field, value] as const];
  });
  const isMisnamed = Object.values(headerOf).some((name) => similar.has(name) && !exact.has(name));
  return { ...Object.fromEntries(reading), isMisnamed };
}

const properNameOf = (name: string): string =>
  name
    .replaceAll('_', '-')
    .replace(/^(?:http-|x-)+/, '')
    .replace(/^(?:svix|webhooks?|standard-webhooks?)-/, 'webhook-');
