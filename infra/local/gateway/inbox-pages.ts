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
      from: z.string(),
      replyTo: z.array(z.string()),
      destination: z.object({
        to: z.array(z.string()),
        cc: z.array(z.string()),
        bcc: z.array(z.string()),
      }),
      subject: z.string(),
      body: z.object({ text: z.string().optional(), html: z.string().optional() }),
      headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      attachments: z.array(
        z.object({
          filename: z.string().optional(),
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
 * Developers' pages, which AWS doesn't have. `/` is the inbox, with the keys and links to the console and docs. An
 * email's page shows it as a mail program does, and links to its send's timeline. Only that page loads the email's
 * pixel.
 *
 * @returns `undefined` for any other path.
 */
export function createInboxPages(settings: InboxPagesSettings): InboxPages {
  return async (path, host) => {
    if (path === '/') return showStart(settings, host);
    if (path === '/_local/console' && isOwnName(host)) return openConsole(settings);
    const [, which, id] = /^\/_local\/(emails|html|timeline)\/([^/]+)$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const messageId = decodeURIComponent(id);
    if (which === 'timeline') return showTimeline(messageId, settings);
    const email = (await readEmails(settings)).find((one) => one.messageId === messageId);
    if (email === undefined)
      return gatewayMessage(404, 'No email since the last start has this ID');
    return which === 'html' ? showHtml(email) : showEmail(email);
  };
}

async function readEmails({ inboxUrl }: InboxPagesSettings): Promise<Email[]> {
  const store: unknown = await (await fetch(`${inboxUrl}/store`)).json();
  return storeSchema.parse(store).emails;
}

/** Opens it with a link that signs in, so there's no key to paste. */
async function openConsole({ baseUrl, manageKey }: InboxPagesSettings): Promise<HttpApiResponse> {
  const location = await makeConsoleLink(baseUrl, manageKey);
  return { status: 302, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

/** Another site's host name may resolve to this machine, so it gets no keys. */
const isOwnName = (host = ''): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

async function showStart(
  settings: InboxPagesSettings,
  host: string | undefined,
): Promise<HttpApiResponse> {
  return localPage({
    title: 'Email service on this machine',
    links: html`<a class="button" href="/docs">Docs</a>
<a class="button main" href="/_local/console">Open the console</a>`,
    content: html`<p class="quiet">No email leaves this machine. The inbox shows what your program sent.</p>
${inboxOf((await readEmails(settings)).toReversed())}
${isOwnName(host) ? keysOf(settings) : keysElsewhere}
${outcomesToTry}`,
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

const inboxOf = (emails: readonly Email[]): Html =>
  emails.length === 0
    ? html`<section class="card" id="inbox"><h2>Inbox</h2><p class="quiet">Empty since the last start. Send an email with the command below, then reload this page.</p></section>`
    : html`<section class="card" id="inbox"><h2>Inbox</h2><table>
<thead><tr><th scope="col">To</th><th scope="col">Subject</th><th scope="col">Sent (UTC)</th><th scope="col">What happened</th></tr></thead>
<tbody>${emails.map(rowOf)}</tbody></table></section>`;

function rowOf({ messageId, destination: { to, cc, bcc }, subject, at }: Email): Html {
  const id = encodeURIComponent(messageId);
  return html`<tr><td><bdi>${[...to, ...cc, ...bcc].join(', ')}</bdi></td><td><a href="/_local/emails/${id}"><bdi>${subject}</bdi></a></td>
<td><time>${timeOf(at)}</time></td>
<td><a href="/_local/timeline/${id}">Timeline</a></td></tr>`;
}

const timeOf = (at: number): string =>
  new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' ');

function showEmail(email: Email): HttpApiResponse {
  const { messageId, body, headers, attachments } = email;
  const id = encodeURIComponent(messageId);
  return localPage({
    title: email.subject,
    links: html`<a class="button" href="/#inbox">Inbox</a>
<a class="button main" href="/_local/timeline/${id}">What happened to it</a>`,
    content: html`<section class="card"><dl class="envelope">${envelopeOf(email)}</dl></section>
${body.html === undefined ? undefined : html`<section class="card"><h2>HTML</h2><iframe class="email" src="/_local/html/${id}" title="The email’s HTML"></iframe></section>`}
${body.text === undefined ? undefined : html`<section class="card"><h2>Text</h2><pre class="payload">${body.text}</pre></section>`}
${attachments.length === 0 ? undefined : html`<section class="card"><h2>Attachments</h2><ul>${attachments.map(attachmentOf)}</ul></section>`}
${headers.length === 0 ? undefined : html`<section class="card"><h2>Headers</h2><pre class="payload">${headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre></section>`}`,
  });
}

const envelopeOf = ({ from, replyTo, destination, at }: Email): Html[] =>
  [
    ['From', from],
    ['Reply to', replyTo.join(', ')],
    ['To', destination.to.join(', ')],
    ['Cc', destination.cc.join(', ')],
    ['Bcc', destination.bcc.join(', ')],
    ['Sent (UTC)', timeOf(at)],
  ]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`);

const attachmentOf = ({
  filename = 'unnamed',
  contentType,
  content,
}: Email['attachments'][number]) =>
  html`<li><a href="data:application/octet-stream;base64,${content}" download="${filename}"><bdi>${filename}</bdi></a>
<span class="quiet">${contentType}, ${`${Buffer.byteLength(content, 'base64')}`} bytes</span></li>`;

/** Without scripts, and in another origin than the service's: the HTML isn't ours. */
const asInMailProgram =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'";

function showHtml({ body, attachments }: Email): HttpApiResponse {
  if (body.html === undefined) return gatewayMessage(404, 'This email has no HTML');
  return {
    status: 200,
    headers: {
      'content-type': 'text/html;charset=UTF-8',
      'cache-control': 'no-store',
      'content-security-policy': asInMailProgram,
    },
    // Links leave the frame that shows the email, as they leave a mail program.
    body: `${withImagesInside(body.html, attachments)}<base target="_blank">`,
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
