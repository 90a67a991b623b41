import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { makeConsoleLink } from '../../infra/local/console-link.ts';
import { listen } from '../../infra/local/server.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { launchChromium } from '../shared/pages/chromium.ts';
import { readInbox } from '../support/mailbox-inbox.ts';

// `npm run picture` draws the picture at the top of README.md: one email's story in the console, by the local twin.

const size = { width: 1080, height: 800 };
const to = 'ann@example.com';

const stack = await startLocalStack({ quiet: true });
const { baseUrl, apiKey, manageKey, inboxUrl } = stack.description;
const receiver = await listen(
  createServer((_request, response) => response.end()),
  0,
);
const browser = await launchChromium();
try {
  await ask('PATCH', '/api/v1/organization', { name: 'Northwind Coffee' });
  await ask('POST', '/api/v1/webhooks', { url: receiver.url });
  const sendId = await sendEmail();
  await delivered(sendId);
  await readEmail();
  for (const scheme of ['light', 'dark'] as const) {
    writeFileSync(`.github/console-${scheme}.webp`, await draw(browser, sendId, scheme));
  }
} finally {
  await Promise.all([browser.close(), receiver.stop(), stack.stop()]);
}

async function ask(method: string, path: string, body?: object, key = manageKey): Promise<unknown> {
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function sendEmail(): Promise<string> {
  const email = {
    to,
    subject: 'Reset your password',
    content: 'Follow the link.',
    htmlContent: `<p><a href="https://northwind.example/reset">Choose a new password</a></p>`,
    idempotencyKey: 'reset-ann-1842',
  };
  const sent = await ask('POST', '/api/v1/emails/send', email, apiKey);
  return z.object({ sendId: z.string() }).parse(sent).sendId;
}

async function delivered(sendId: string): Promise<void> {
  while (!JSON.stringify(await ask('GET', `/api/v1/sends/${sendId}`)).includes('"delivered"')) {
    await setTimeout(100);
  }
}

/** What Ann does: she opens the email, and follows its link. */
async function readEmail(): Promise<void> {
  const email = (await readInbox(inboxUrl)).findLast(({ destination }) =>
    destination.to.includes(to),
  );
  const addresses = [...(email?.body.html ?? '').matchAll(/(?:href|src)="([^"]*\/t\/[^"]*)"/g)];
  const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' };
  for (const [, address = ''] of addresses.reverse()) {
    await fetch(address.replaceAll('&amp;', '&'), { headers: person, redirect: 'manual' });
  }
}

async function draw(
  browser: Browser,
  sendId: string,
  colorScheme: 'light' | 'dark',
): Promise<Buffer> {
  const context = await browser.newContext({ viewport: size, colorScheme, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(await makeConsoleLink(baseUrl, manageKey));
  await page.getByRole('button', { name: 'Sign in to the console' }).click();
  await page.getByRole('link', { name: 'Emails' }).waitFor();
  await page.goto(`${baseUrl}/console/emails/${sendId}`);
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  return Buffer.from(data, 'base64');
}
