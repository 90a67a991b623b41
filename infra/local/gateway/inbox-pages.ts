import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Role, roles } from '#shared/access/roles';
import { type Html, html } from '#shared/pages/html';
import { type SignedIn, signInTo } from '../console-link.ts';
import {
  findInInbox,
  type Inbox,
  type InboxEmail,
  type InboxEntry,
  type InboxPage,
  recipientsOf,
} from '../ses/inbox.ts';
import type { LocalRequest } from './gateway.ts';
import { gatewayMessage, type HttpApiResponse } from './http-api-response.ts';

type InboxPagesSettings = {
  readonly baseUrl: string;
  readonly inbox: Inbox;
  readonly apiKey: string;
  readonly manageKey: string;
  readonly testKey: string;
  readonly fromEmail: string;
  /** Returns `undefined` if nobody with that role can sign in. */
  readonly signInAs: (role: Role | 'operator') => Promise<SignedIn | undefined>;
};

/** Of the organization, and whoever operates the service. */
const localRoles = [...roles, 'operator'] as const;

export type InboxPages = (request: LocalRequest) => Promise<HttpApiResponse | undefined>;

/**
 * Developers' pages, which AWS doesn't have. `/` is the inbox, with the keys and links to the console and docs. An
 * email's page shows it as a mail program does, and links to its send's timeline. Only that page loads the email's
 * pixel.
 *
 * @returns `undefined` for any other path.
 */
export function createInboxPages(settings: InboxPagesSettings): InboxPages {
  return async (request) => {
    const { path } = request;
    if (path === '/') return showStart(settings, request);
    if (path === '/_local/inbox') return showNewer(settings, request);
    if (path === '/_local/console')
      return redirectToConsole(consolePageIn(request), settings, request);
    const role = localRoles.find((one) => path === `/_local/sign-in/${one}`);
    if (role !== undefined) return redirectToRole(role, settings);
    const [, which, id] = /^\/_local\/(emails|html|timeline)\/([^/]+)$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const messageId = decodeURIComponent(id);
    if (which === 'timeline') return showTimeline(messageId, settings, request);
    const emails = await settings.inbox();
    const email = emails.findLast((one) => one.messageId === messageId);
    if (email === undefined) return noEmail('No email since the last start has this ID.');
    return which === 'html' ? showHtml(email) : showEmail(email);
  };
}

const consolePageIn = ({ query }: LocalRequest): string => {
  const page = query.get('to') ?? '';
  return /^\/console(?:[/?]|$)/.test(page) ? page : '/console';
};

/** Opens it signed in, so there's no key to paste. */
async function redirectToConsole(
  page: string,
  settings: InboxPagesSettings,
  { cookie }: LocalRequest,
): Promise<HttpApiResponse> {
  return redirectSignedIn(await signInTo(page, settings, cookie));
}

async function redirectToRole(
  role: Role | 'operator',
  { signInAs }: InboxPagesSettings,
): Promise<HttpApiResponse> {
  const signedIn = await signInAs(role);
  if (signedIn !== undefined) return redirectSignedIn(signedIn);
  return gatewayMessage(
    404,
    `The ${role} was removed, or this data is from before there were people. Start over with: npm start -- --fresh`,
  );
}

const redirectSignedIn = ({ location, cookie }: SignedIn): HttpApiResponse => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store', ...(cookie && { 'set-cookie': cookie }) },
  body: '',
});

const rowsPerPage = 50;

const placeIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

async function showStart(
  settings: InboxPagesSettings,
  { query }: LocalRequest,
): Promise<HttpApiResponse> {
  const emails = await settings.inbox();
  const search = query.get('search')?.trim() ?? '';
  const before = placeIn(query.get('before'));
  const page = await findInInbox(emails, { search, before, limit: rowsPerPage });
  return localPage({
    title: 'Email service on this machine',
    links: html`<a class="button" href="/docs">Docs</a>
<a class="button main" href="/_local/console">Open the console</a>`,
    content: html`<p class="quiet">No email leaves this machine. The inbox shows what your program sent.</p>
${inboxOf({ ...page, search, before, count: emails.length })}
${keysOf(settings)}
${peopleToBe}
${outcomesToTry}`,
    script: inboxScript,
  });
}

/** What an open inbox doesn't have yet. */
async function showNewer(
  { inbox }: InboxPagesSettings,
  { query }: LocalRequest,
): Promise<HttpApiResponse> {
  const emails = await inbox();
  const search = query.get('search') ?? '';
  const from = placeIn(query.get('from')) ?? 0;
  const { entries, hasOlder } = await findInInbox(emails, { search, from, limit: rowsPerPage });
  const rows = html`${entries.map(rowOf)}`.text;
  const body = { count: emails.length, rows, hasMore: hasOlder };
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

function keysOf({ baseUrl, apiKey, manageKey, testKey, fromEmail }: InboxPagesSettings): Html {
  const command = `curl ${baseUrl}/api/v1/emails/send \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"to": "ada@example.com", "subject": "Hello", "content": "It works."}'`;
  return html`<section class="card"><h2>Keys</h2><dl>
${copyable('api-key', 'API key for sending', apiKey)}
${copyable('manage-key', 'API key that may do everything', manageKey)}
${copyable('test-key', 'Test key: its emails stay out of the inbox', testKey)}
${copyable('base-url', 'Base URL', baseUrl)}
${copyable('from', 'From', fromEmail)}
</dl></section>
<section class="card"><h2>Send an email</h2>
<pre class="payload" id="send">${command}</pre><button type="button" data-copy="send">Copy</button></section>`;
}

const copyable = (id: string, name: string, text: string): Html =>
  html`<dt>${name}</dt><dd><code id="${id}">${text}</code></dd><dd><button type="button" data-copy="${id}" aria-label="Copy: ${name}">Copy</button></dd>`;

const peopleToBe = html`<section class="card"><h2>People</h2>
<p>Sign in to the console as one of them, to see what a role may do:</p>
<ul>${localRoles.map((role) => html`<li><a href="/_local/sign-in/${role}">${role}@mail.example.com</a></li>`)}</ul></section>`;

const outcomesToTry = html`<section class="card"><h2>Outcomes to try</h2>
<p>Send to one of these addresses to see what happens:</p>
<table><tbody>
<tr><td><code>bounce@simulator.amazonses.com</code></td><td>A hard bounce, then a suppression</td></tr>
<tr><td><code>ooto@simulator.amazonses.com</code></td><td>A soft bounce: a delivery, then an out-of-office reply</td></tr>
<tr><td><code>complaint@simulator.amazonses.com</code></td><td>A complaint</td></tr>
<tr><td><code>suppressionlist@simulator.amazonses.com</code></td><td>A hard bounce: it’s on Amazon’s suppression list</td></tr>
<tr><td><code>bounced@resend.dev</code></td><td>A hard bounce, but only with the test key, which also knows <code>delivered@</code>, <code>complained@</code> and <code>suppressed@resend.dev</code></td></tr>
</tbody></table>
<p class="quiet">Emails to any other address are delivered. SES’s simulator can’t delay one:
<a href="/docs/tasks#try-a-bounce-a-complaint-or-a-delay">report a delay yourself</a>.</p></section>`;

type ShownInbox = InboxPage & {
  readonly search: string;
  readonly before: number | undefined;
  readonly count: number;
};

/** The first page keeps itself up to date. */
function inboxOf({ entries, hasOlder, search, before, count }: ShownInbox): Html {
  const isFirst = before === undefined;
  const isEmpty = entries.length === 0;
  const nothing =
    search !== '' || !isFirst
      ? 'No email matches.'
      : 'Empty since the last start. Send an email with the command below: it shows up here.';
  return html`<section class="card" id="inbox"${isFirst ? html` data-count="${`${count}`}" data-search="${search}"` : undefined}>
<div class="inbox-head"><h2>Inbox <span class="quiet" data-count-text>${countText(count)}</span></h2>
<form action="/" role="search"><input type="search" name="search" value="${search}" aria-label="Search the inbox" placeholder="Search by address or subject"></form></div>
<p class="quiet" data-empty${isEmpty ? undefined : html` hidden`}>${nothing}</p>
<div class="inbox-rows"${isEmpty ? html` hidden` : undefined}><table>
<thead><tr><th scope="col">To</th><th scope="col">Subject</th><th scope="col">Sent (UTC)</th><th scope="col">What happened</th></tr></thead>
<tbody>${entries.map(rowOf)}</tbody></table></div>
<nav class="pager" aria-label="Pages of the inbox">${isFirst ? undefined : html`<a href="${addressOf(search)}">Newest</a> `}${hasOlder ? html`<a href="${addressOf(search, entries.at(-1)?.place)}">Older</a>` : undefined}</nav>
<p class="visually-hidden" role="status" data-news></p></section>`;
}

const countText = (count: number): string => (count === 0 ? '' : count.toLocaleString('en'));

function addressOf(search: string, before?: number): string {
  const query = new URLSearchParams();
  if (search !== '') query.set('search', search);
  if (before !== undefined) query.set('before', `${before}`);
  return `/?${query}#inbox`;
}

function rowOf({ email }: InboxEntry): Html {
  const { messageId, subject, at } = email;
  const id = encodeURIComponent(messageId);
  return html`<tr><td><bdi>${recipientsOf(email).join(', ')}</bdi></td><td><a href="/_local/emails/${id}"><bdi>${subject}</bdi></a></td>
<td><time>${timeOf(at)}</time></td>
<td><a href="/_local/timeline/${id}">Timeline</a></td></tr>`;
}

const timeOf = (at: number): string =>
  new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' ');

function showEmail(email: InboxEmail): HttpApiResponse {
  const { messageId, body, headers = [], attachments } = email;
  const id = encodeURIComponent(messageId);
  return localPage({
    title: email.subject,
    links: html`<a class="button" href="/#inbox">Inbox</a>
<a class="button main" href="/_local/timeline/${id}">What happened to it</a>`,
    content: html`<section class="card"><dl class="envelope">${envelopeOf(email)}</dl></section>
${body.html === undefined ? undefined : html`<section class="card"><h2>HTML</h2><iframe class="email" sandbox="${mailProgramAllows}" src="/_local/html/${id}" title="The email’s HTML"></iframe></section>`}
${body.text === undefined ? undefined : html`<section class="card"><h2>Text</h2><pre class="payload">${body.text}</pre></section>`}
${attachments.length === 0 ? undefined : html`<section class="card"><h2>Attachments</h2><ul>${attachments.map(attachmentOf)}</ul></section>`}
${headers.length === 0 ? undefined : html`<section class="card"><h2>Headers</h2><pre class="payload">${headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre></section>`}`,
  });
}

const envelopeOf = ({ from, replyTo, destination, at }: InboxEmail): Html[] =>
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
}: InboxEmail['attachments'][number]) =>
  html`<li><a href="data:application/octet-stream;base64,${content}" download="${filename}"><bdi>${filename}</bdi></a>
<span class="quiet">${contentType}, ${`${Buffer.byteLength(content, 'base64')}`} bytes</span></li>`;

/** Without scripts, and in a different origin than the service's: the HTML isn't ours. */
const mailProgramAllows = 'allow-popups allow-popups-to-escape-sandbox';
const asInMailProgram = `sandbox ${mailProgramAllows}; default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'`;

function showHtml({ body, attachments }: InboxEmail): HttpApiResponse {
  if (body.html === undefined) return gatewayMessage(404, 'This email has no HTML');
  return {
    status: 200,
    headers: {
      'content-type': 'text/html;charset=UTF-8',
      'cache-control': 'no-store',
      'content-security-policy': asInMailProgram,
    },
    // Links open outside the frame that shows the email, as they do in a mail program.
    body: `${withImagesInside(body.html, attachments)}<base target="_blank">`,
  };
}

/** Mail programs find an image by its content id; a browser needs the image itself. */
const withImagesInside = (text: string, attachments: InboxEmail['attachments']): string =>
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

/** The console has a page for people. */
async function showTimeline(
  messageId: string,
  settings: InboxPagesSettings,
  request: LocalRequest,
): Promise<HttpApiResponse> {
  const { baseUrl, manageKey } = settings;
  const headers = { authorization: `Bearer ${manageKey}` };
  const address = `${baseUrl}/api/v1/sends?search=${encodeURIComponent(messageId)}`;
  const { data } = foundSchema.parse(await (await fetch(address, { headers })).json());
  const id = data[0]?._id;
  return id === undefined
    ? noEmail('No send has this message yet. If you just sent it, reload the page in a moment.')
    : redirectToConsole(`/console/emails/${id}`, settings, request);
}

const noEmail = (words: string): HttpApiResponse => ({
  ...localPage({
    title: 'Not found',
    links: html`<a class="button main" href="/#inbox">Inbox</a>`,
    content: html`<p>${words}</p>`,
  }),
  status: 404,
});

/** Polls for new emails while someone is looking. */
const inboxScript = html`<script>
{
  const inbox = document.getElementById('inbox');
  const one = (name) => inbox.querySelector(name);
  const rows = one('tbody');
  const look = async () => {
    if (document.hidden) return;
    const { count, search } = inbox.dataset;
    const query = new URLSearchParams({ from: count, search });
    const response = await fetch('/_local/inbox?' + query).catch(() => undefined);
    if (!response?.ok) return;
    const news = await response.json();
    if (news.count === Number(count)) return;
    // The twin restarted, or more emails came than fit: reload the page, unless somebody is typing in it.
    const isOver = news.count < Number(count) || news.hasMore || rows.rows.length > 200;
    if (isOver && !document.activeElement?.matches('input')) location.reload();
    if (isOver) return;
    inbox.dataset.count = news.count;
    one('[data-count-text]').textContent = news.count.toLocaleString('en');
    const before = rows.rows.length;
    rows.insertAdjacentHTML('afterbegin', news.rows);
    const added = rows.rows.length - before;
    if (added === 0) return;
    one('[data-empty]').hidden = true;
    one('.inbox-rows').hidden = false;
    one('[data-news]').textContent = added === 1 ? 'A new email' : added + ' new emails';
  };
  if (inbox.dataset.count !== undefined) {
    setInterval(look, 2000);
    document.addEventListener('visibilitychange', look);
  }
}
</script>`;

const style = [
  ...['colours', 'scale', 'page', 'controls', 'lists'].map(
    (name) => `../../../functions/show-console/app/styles/${name}.css`,
  ),
  'local-pages.css',
].map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));

/** Copies the button's text. Without scripts, the text can be selected. */
const copyScript = html`<script>
document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent).then(() => {
    const words = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = words; }, 2000);
  });
});
</script>`;

const mark = html`<svg class="mark" viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="5.5" fill="currentColor"/>
<path d="M4.5 6.5h11v7.5h-11zl5.5 4.5 5.5-4.5" fill="none" stroke="var(--page)" stroke-width="1.4"/></svg>`;

type LocalPage = {
  readonly title: string;
  readonly links: Html;
  readonly content: Html;
  readonly script?: Html;
};

const localPage = ({ title, links, content, script }: LocalPage): HttpApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html;charset=UTF-8', 'cache-control': 'no-store' },
  body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<header class="head"><h1>${mark}${title}</h1><nav class="actions" aria-label="Pages">${links}</nav></header>
<main>
${content}
</main>
${copyScript}${script}
</body>
</html>
`.text.replace('</head>', () => `<style>${style.join('')}</style>\n</head>`),
});
