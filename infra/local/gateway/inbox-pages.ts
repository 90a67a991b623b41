import * as z from 'zod';
import { type Html, html } from '#shared/pages/html';
import { makeConsoleLink } from '../console-link.ts';
import { gatewayMessage, type HttpApiResponse } from './http-api-response.ts';
import { localPage } from './local-layout.ts';

type InboxPagesSettings = {
  readonly baseUrl: string;
  readonly inboxUrl: string;
  readonly apiKey: string;
  readonly manageKey: string;
  readonly fromEmail: string;
};

const storeSchema = z.object({
  emails: z.array(
    z.object({
      messageId: z.string(),
      destination: z.object({ to: z.array(z.string()) }),
      subject: z.string(),
      body: z.object({ html: z.string().optional() }),
      attachments: z.array(
        z.object({
          contentId: z.string().optional(),
          contentType: z.string(),
          content: z.string(),
        }),
      ),
      at: z.number(),
    }),
  ),
});
type Email = z.output<typeof storeSchema>['emails'][number];

/** @param host the browser's name for this machine. */
export type InboxPages = (path: string, host?: string) => Promise<HttpApiResponse | undefined>;

/**
 * Developers' pages, which AWS doesn't have: `/` leads to the console, the docs and the inbox, has the keys, and lists
 * the emails. Each leads to its send's timeline, and to its HTML as a mail program shows it.
 *
 * @returns nothing for any other path.
 */
export function createInboxPages(settings: InboxPagesSettings): InboxPages {
  return async (path, host) => {
    if (path === '/') return showStart(settings, host);
    if (path === '/_local/console' && isOwnName(host)) return openConsole(settings);
    const [, which, id] = /^\/_local\/(timeline|html)\/([^/]+)$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const messageId = decodeURIComponent(id);
    return which === 'html' ? showHtml(messageId, settings) : showTimeline(messageId, settings);
  };
}

async function readEmails({ inboxUrl }: InboxPagesSettings): Promise<Email[]> {
  const store: unknown = await (await fetch(`${inboxUrl}/store`)).json();
  return storeSchema.parse(store).emails;
}

/** By a link that signs in, so there's no key to paste. */
async function openConsole({ baseUrl, manageKey }: InboxPagesSettings): Promise<HttpApiResponse> {
  const location = await makeConsoleLink(baseUrl, manageKey);
  return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

/** Another site's host name may resolve to this machine: it gets no keys. */
const isOwnName = (host = ''): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

async function showStart(
  settings: InboxPagesSettings,
  host: string | undefined,
): Promise<HttpApiResponse> {
  const { inboxUrl } = settings;
  return localPage({
    title: 'Email service on this machine',
    links: html`<a class="button" href="/docs">Docs</a><a class="button" href="${inboxUrl}" target="_blank" rel="noreferrer" aria-label="Inbox, in a new tab">Inbox ↗</a>
<a class="button main" href="/_local/console">Open the console</a>`,
    content: html`<p class="quiet">No email leaves this machine. The inbox shows what your program sent.</p>
${isOwnName(host) ? keysOf(settings) : keysElsewhere}
${outcomesToTry}
${emailsOf((await readEmails(settings)).toReversed())}`,
  });
}

const keysElsewhere = html`<section class="card"><h2>Keys</h2>
<p>They are shown at <code>http://localhost</code> only, and in the file that <code>npm start</code> names.</p></section>`;

function keysOf({ baseUrl, apiKey, manageKey, fromEmail }: InboxPagesSettings): Html {
  const command = `curl ${baseUrl}/api/v1/emails/send \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"to": "ada@example.com", "subject": "Hello", "content": "It works."}'`;
  return html`<section class="card"><h2>Keys</h2><dl>
${copyable('api-key', 'API key for sending', apiKey)}
${copyable('manage-key', 'API key with every scope', manageKey)}
${copyable('base-url', 'Base URL', baseUrl)}
${copyable('from', 'From', fromEmail)}
</dl></section>
<section class="card"><h2>Send an email</h2>
<pre class="payload" id="send">${command}</pre><button type="button" data-copy="send">Copy</button></section>`;
}

const copyable = (id: string, name: string, text: string): Html =>
  html`<dt>${name}</dt><dd><code id="${id}">${text}</code></dd><dd><button type="button" data-copy="${id}" aria-label="Copy: ${name}">Copy</button></dd>`;

const outcomesToTry = html`<section class="card"><h2>Outcomes to try</h2>
<p>Send to one of these addresses to see what happens:</p>
<table><tbody>
<tr><td><code>bounce@simulator.amazonses.com</code></td><td>A hard bounce, then a suppression</td></tr>
<tr><td><code>ooto@simulator.amazonses.com</code></td><td>A soft bounce: a delivery, then an out-of-office reply</td></tr>
<tr><td><code>complaint@simulator.amazonses.com</code></td><td>A complaint</td></tr>
<tr><td><code>suppressionlist@simulator.amazonses.com</code></td><td>A hard bounce: it’s on Amazon’s suppression list</td></tr>
</tbody></table>
<p class="quiet">Any other address gets its email. For a delay, SES’s simulator has none:
<a href="/docs/tasks#try-a-bounce-a-complaint-or-a-delay">report one yourself</a>.</p></section>`;

const emailsOf = (emails: readonly Email[]): Html =>
  emails.length === 0
    ? html`<section class="card"><h2>Emails</h2><p class="quiet">None since the last start. Send one with the command above.</p></section>`
    : html`<section class="card"><h2>Emails since the last start</h2><table>
<thead><tr><th scope="col">To</th><th scope="col">Subject</th><th scope="col">Sent (UTC)</th><th scope="col">View</th></tr></thead>
<tbody>${emails.map(rowOf)}</tbody></table></section>`;

const rowOf = ({ messageId, destination, subject, body, at }: Email): Html =>
  html`<tr><td><bdi>${destination.to.join(', ')}</bdi></td><td><bdi>${subject}</bdi></td>
<td><time>${new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' ')}</time></td>
<td><a href="/_local/timeline/${encodeURIComponent(messageId)}">Timeline</a>
${body.html === undefined ? undefined : html`<a href="/_local/html/${encodeURIComponent(messageId)}">HTML</a>`}</td></tr>`;

/** Without scripts, and apart from the service's own origin: the HTML isn't ours. */
const asInMailProgram =
  "sandbox; default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'";

async function showHtml(messageId: string, settings: InboxPagesSettings): Promise<HttpApiResponse> {
  const email = (await readEmails(settings)).find((one) => one.messageId === messageId);
  if (email?.body.html === undefined) return gatewayMessage(404, 'No email with this ID has HTML');
  return {
    status: 200,
    headers: {
      'content-type': 'text/html;charset=UTF-8',
      'cache-control': 'no-store',
      'content-security-policy': asInMailProgram,
    },
    body: withImagesInside(email.body.html, email.attachments),
  };
}

/** Mail programs find an image by its content id; a browser needs the image itself. */
const withImagesInside = (text: string, attachments: Email['attachments']): string =>
  attachments.reduce(
    (shown, { contentId, contentType, content }) =>
      contentId === undefined
        ? shown
        : shown.replaceAll(
            new RegExp(`(["'(])cid:${RegExp.escape(contentId)}(?=["')])`, 'gi'),
            (_found, before: string) => `${before}data:${contentType};base64,${content}`,
          ),
    text,
  );

const foundSchema = z.object({ data: z.array(z.object({ _id: z.string() })) });

async function showTimeline(
  messageId: string,
  { baseUrl, manageKey }: InboxPagesSettings,
): Promise<HttpApiResponse> {
  const read = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${manageKey}` };
    return (await fetch(`${baseUrl}/api/v1/sends${path}`, { headers })).json();
  };
  const { data } = foundSchema.parse(await read(`?search=${encodeURIComponent(messageId)}`));
  const id = data[0]?._id;
  if (id === undefined) return gatewayMessage(404, 'No send has this message');
  const timeline = JSON.stringify(await read(`/${id}`), null, 2);
  return localPage({
    title: 'Timeline',
    links: html`<a class="button" href="/">All emails</a>
<a class="button main" href="/console/emails/${id}">Open in the console</a>`,
    content: html`<section class="card"><h2>GET /api/v1/sends/${id}</h2><pre class="payload">${timeline}</pre></section>`,
  });
}
