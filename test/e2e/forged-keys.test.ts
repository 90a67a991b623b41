import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseApiKey } from '#shared/access/api-key';
import { newCredential } from '#shared/access/credential-text';
import { buildApiKey } from '../support/api-key-builder.ts';
import type { RecordedRequest } from '../support/fault-proxy.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { callService, createTenant } from '../support/tenant.ts';
import { askedRoutes, sendAsk } from '../support/tenant-requests.ts';

// Anyone can compute a key's checksum, and ids appear in links and logs. So a key with a wrong secret must cost next to
// nothing, whatever the request.

const service = await useFaultyService();
const tenant = await createTenant(service, 'alpha');

const { id: keyId } = parseApiKey(tenant.key);
const keys = {
  'the id of a real key': newCredential('key', keyId).text,
  'an id that was made up': buildApiKey().text,
};

const keyOnly = 2;
/** To the one person in the tables. */
const plainSends = new Set([
  'POST /api/v1/emails/send',
  'POST /api/v1/emails/send-global',
  'POST /resend/emails',
  'POST /postmark/email',
]);

const batchGet = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(z.unknown()) })),
});

/** A query reads as many as it finds. */
function itemsReadBy({ operation, body }: RecordedRequest): number {
  if (operation === 'GetItem') return 1;
  if (operation !== 'BatchGetItem') return Infinity;
  return Object.values(batchGet.parse(body).RequestItems).flatMap(({ Keys }) => Keys).length;
}

async function costOf(request: () => Promise<{ readonly status: number }>) {
  service.dynamodb.clear();
  const { status } = await request();
  const items = service.dynamodb.requests.map(itemsReadBy).reduce((sum, one) => sum + one, 0);
  return { status, items };
}

const isOfKeys = ({ path }: { readonly path: string }) =>
  ['/api/', '/resend/', '/postmark/'].some((start) => path.startsWith(start));

describe.each(Object.entries(keys))('a key with %s and a wrong secret', (_id, key) => {
  it('costs at most two reads on every route, apart from the recipients of a plain send', async () => {
    const asked = askedRoutes
      .filter(isOfKeys)
      .flatMap((route) => route.entry(tenant, tenant).map((ask) => ({ ...route, ask })));
    const costly: unknown[] = [];
    const admitted = new Set<string>();
    for (const { ask, name, ...route } of asked) {
      const { status, items } = await costOf(() => sendAsk(service, route, ask, { key }));
      if (status < 400) admitted.add(name);
      else if (items > (plainSends.has(name) ? keyOnly + 1 : keyOnly))
        costly.push({ name, status, items });
    }

    expect(asked.length).toBeGreaterThan(150);
    expect(costly).toEqual([]);
    // A link's token admits any bearer, and no key is looked up.
    expect([...admitted]).toEqual(['GET /api/unsubscribe', 'POST /api/unsubscribe']);
  });

  const addresses = Array.from({ length: 50 }, (_, place) => `ann+${place}@example.com`);
  const words = { subject: 'Hi', content: 'Hi' };
  const theirs = { from: 'hello@mail.alpha.example', to: addresses, subject: 'Hi', text: 'Hi' };
  const postmarks = { From: theirs.from, To: addresses.join(), Subject: 'Hi', TextBody: 'Hi' };
  const aliases = Array.from({ length: 100 }, (_, place) => `alias-${place}`);
  const of100 = <Email>(email: Email) => Array.from({ length: 100 }, () => email);

  it.each([
    ['/api/v1/emails/send', 'fifty recipients', { to: addresses, ...words }],
    ['/api/v1/emails/send', 'a template', { to: 'ann@example.com', template: 'welcome' }],
    [
      '/api/v1/emails/batch',
      'fifty recipients each',
      { emails: of100({ to: addresses, ...words }) },
    ],
    [
      '/api/v1/emails/batch',
      'a template each',
      { emails: aliases.map((template) => ({ to: 'ann@example.com', template })) },
    ],
    ['/resend/emails', 'fifty recipients', theirs],
    ['/resend/emails/batch', 'fifty recipients each', of100(theirs)],
    ['/postmark/email', 'fifty recipients', postmarks],
    ['/postmark/email/batch', 'fifty recipients each', of100(postmarks)],
  ])('costs two reads when it posts to %s with %s', async (path, _what, body) => {
    const { status, items } = await costOf(() => callService(service, 'POST', path, { key, body }));

    expect([401, 403]).toContain(status);
    expect(items).toBe(keyOnly);
  });
});
