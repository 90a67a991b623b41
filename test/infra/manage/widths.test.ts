import { expect, it } from 'vitest';
import { exampleIds as ids } from '#shared/tokens/example-values';
import { endpointOf, routes } from '../../../functions/routes.ts';
import { widthOf } from '../../../infra/manage/drawing/layout.ts';
import { groups } from '../../../infra/manage/program.ts';
import { manageWords, twin } from '../../support/manage-builder.ts';
import { leavesOf } from '../../support/manage-leaves.ts';
import { unexpected } from '../../support/unexpected.ts';

const columns = 80;
const email = `${'ann.with.a.long.name.'.repeat(3)}x@mail.a-long-subdomain.of.example.com`;
const sentence = 'Your order 日本語 👍 has been shipped, and arrives within two or three days. ';

/** An answer as the reference shows it, but with the longest that people and receivers write. */
function lengthened(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => lengthened(one, name));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, inner]) => [key, lengthened(inner, key)]));
  }
  if (typeof value !== 'string') return value;
  if (value.includes('@')) return email;
  if (/^https?:/.test(value)) return `https://hooks.example.com/${'a-long-path/'.repeat(12)}`;
  return longNames.has(name) ? sentence.repeat(3) : value;
}

const longNames = new Set([
  ...['subject', 'name', 'description', 'diagnostic', 'message', 'answer', 'text'],
  ...['explanation', 'reason', 'outlook', 'hint', 'footerText', 'senderName'],
]);

const patterns = routes.map(({ method, path, functionName }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\+\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  isLiteral: !path.includes('{'),
  endpoint: endpointOf(functionName),
}));

/** Answers every route with its example. */
const answering: typeof fetch = async (input, init) => {
  const { method, url } = new Request(input, init);
  const { pathname } = new URL(url);
  const fitting = patterns.filter((one) => one.method === method && one.pattern.test(pathname));
  const { endpoint } =
    fitting.find(({ isLiteral }) => isLiteral) ?? fitting[0] ?? unexpected(`${method} ${url}`)();
  const [status = '500', { example } = {}] =
    Object.entries(endpoint.answers).find(([code]) => Number(code) < 300) ?? [];
  const body = example === undefined ? null : JSON.stringify(lengthened(example));
  const headers = { 'content-type': 'application/json' };
  return new Response(body, { status: Number(status), headers });
};

const lines: Readonly<Record<string, string>> = {
  'sends list': '',
  'sends show': ids.send,
  'sends content': ids.send,
  'sends resend': ids.send,
  'sends cancel': ids.send,
  'sends move': `${ids.send} --at 2026-11-21T09:00:00Z`,
  'sends free-key': 'welcome-ann',
  metrics: '--by tag',
  usage: '',
  recipient: 'ann@example.com',
  'recipients why': 'ann@example.com',
  'contacts list': '',
  'contacts show': 'ann@example.com',
  'contacts subscribe': 'ann@example.com newsletter',
  'contacts unsubscribe': 'ann@example.com newsletter',
  'contacts erase': 'ann@example.com',
  'suppressions list': '',
  'suppressions add': 'ann@example.com',
  'suppressions lift': 'ann@example.com',
  'suppressions lift-many': '--from 2026-11-20 --until 2026-11-21',
  'webhooks list': '',
  'webhooks show': ids.webhook,
  'webhooks create': 'https://example.com/hooks',
  'webhooks update': `${ids.webhook} --enabled on`,
  'webhooks pause': ids.webhook,
  'webhooks resume': ids.webhook,
  'webhooks delete': ids.webhook,
  'webhooks rotate-secret': ids.webhook,
  'webhooks test': ids.webhook,
  'webhooks deliveries': ids.webhook,
  'webhooks delivery': `${ids.webhook} ${ids.delivery}`,
  'webhooks retry': ids.delivery,
  'webhooks retry-waiting': ids.webhook,
  'webhooks redeliver': ids.delivery,
  'webhooks redeliver-failed': `${ids.webhook} --since 2026-11-21T09:00:00Z`,
  'webhooks verify': `${ids.webhook} --body - --message-id msg_1 --timestamp 1 --signature v1,x`,
  requests: '',
  'keys list': '',
  'keys create': '--name billing',
  'keys update': `${ids.apiKey} --name billing`,
  'keys rotate': ids.apiKey,
  'keys revoke': ids.apiKey,
  'domains list': '',
  'domains add': 'example.com',
  'domains show': 'example.com',
  'domains verify': 'example.com',
  'domains default': 'example.com',
  'domains remove': 'example.com',
  'identity set': '--domain example.com --from-email hello@example.com',
  'identity status': '',
  'identity zone-file': '',
  'identity remove': '',
  'settings show': '',
  'settings update': '--name Example',
  'settings confirm-notices': '',
  'people list': '',
  'people invite': 'ann@example.com --role viewer',
  'people role': `${ids.apiKey} --role viewer`,
  'people remove': ids.apiKey,
  'notices list': '',
  'notices set': 'on-call --type slack --secret-file -',
  'notices test': 'on-call',
  'notices remove': 'on-call',
  'policies list': '',
  'policies set': 'offers --kind bulk',
  'policies delete': 'offers',
  'categories list': '',
  'categories create': 'offers --name Offers',
  'categories rename': 'offers --name Offers',
  'categories delete': 'offers',
  audit: '',
  'console link': '',
  'organizations create': '--name Example',
  'organizations list': '',
  'organizations show': ids.organization,
  'organizations update': `${ids.organization} --name Example`,
  'organizations limits': ids.organization,
  'organizations pause': ids.organization,
  'organizations resume': ids.organization,
  'organizations delete': `${ids.organization} --name Example`,
  'organizations new-key': ids.organization,
  'links domain': `example.com --organization ${ids.organization}`,
  'links enable': `--organization ${ids.organization}`,
  'links disable': `--organization ${ids.organization}`,
  'domain-claims list': '',
  'domain-claims vouch': `example.com --organization ${ids.organization}`,
  'domain-claims release': `example.com --organization ${ids.organization}`,
};

/** They need files, AWS or a receiver, and print as the others do. */
const others = [
  ...['templates diff', 'templates pull', 'templates push', 'webhooks listen', 'doctor'],
  ...[
    'contacts export',
    'suppressions import',
    'suppressions export',
    'signing-key rotate',
    'usage cost',
  ],
];

const run = (line: string, given: string, isTerminal: boolean) =>
  manageWords([...line.split(' '), ...given.split(' ').filter(Boolean), '--yes'], {
    ...twin,
    fetch: answering,
    isTerminal,
    columns,
    readInput: async () => '{}',
  });

it.each(Object.entries(lines))('%s fits a terminal', async (line, given) => {
  const { output, words } = await run(line, given, true);

  const shown = `${output}${words}`.split('\n');
  const wide = shown.filter((one) => widthOf(one) > columns);
  expect(shown.length).toBeGreaterThan(1);
  // Only what people copy is wider: one word, on a line of its own.
  expect(wide.filter((one) => /\S\s+\S/.test(one))).toEqual([]);
});

it('everything that a pipe gets is whole', async () => {
  const { output } = await run('sends list', '', false);

  expect(output).toContain(email);
  expect(output).not.toContain('…');
});

it('the commands above are all there are', async () => {
  const leaves = (await Promise.all(groups.map(leavesOf))).flat();

  expect([...Object.keys(lines), ...others].toSorted()).toEqual(
    leaves.map(({ line }) => line).toSorted(),
  );
});
