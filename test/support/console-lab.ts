import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { newAccount } from '../../infra/local/account.ts';
import { type LocalStack, startLocalStack } from '../../infra/local/stack.ts';
import { launchChromium } from '../shared/pages/chromium.ts';
import { fetchPatiently, isThrottled } from './fetch-patiently.ts';
import { readInbox } from './mailbox-inbox.ts';
import { ownDatabase } from './own-database.ts';
import { patience } from './patience.ts';

const linkSchema = z.object({ path: z.string() });
const sentSchema = z.looseObject({ sendId: z.string(), status: z.string() });

/** The twin, with the limits of a new account, and Chromium. */
export async function openConsoleLab({ withIssuer = false } = {}) {
  const env = ownDatabase().environment;
  const [stack, browser] = await Promise.all([
    startLocalStack({ quiet: true, account: newAccount, withIssuer, env }),
    launchChromium(),
  ]);
  return {
    stack,
    browser,
    ...callsOf(stack),
    /** For all tests of a file: signs in as a person does, and shows the overview. */
    signIn: async () => {
      const page = await (await browser.newContext({ acceptDownloads: true })).newPage();
      await signIn(page, stack);
      return watch(page, stack, stack.description.manageKey);
    },
    /** For the running test, signed in, with no page yet: it asks nothing of the twin any more once that is over. */
    openTab: async (key = stack.description.manageKey, options: BrowserContextOptions = {}) => {
      const context = await browser.newContext({ acceptDownloads: true, ...options });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await startSession(page, stack.description.baseUrl, key);
      return watch(page, stack, key);
    },
    /** As `openTab`, of somebody who was invited. */
    openTabOf: async (email: string, options: BrowserContextOptions = {}) => {
      const context = await browser.newContext(options);
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await startSessionOf(page, stack, email);
      return watch(page, stack, '');
    },
    /** The first link that was mailed to an address after so many. */
    mailedLink: (email: string, after = 0) => mailedLink(stack, email, after),
    close: () => Promise.all([browser.close(), stack.stop()]),
  };
}

export type ConsoleLab = Awaited<ReturnType<typeof openConsoleLab>>;

function callsOf({ description: { baseUrl, apiKey, manageKey } }: LocalStack) {
  const call = async (method: string, path: string, body?: unknown, key = manageKey) => {
    const response = await fetchPatiently(new URL(path, baseUrl), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = response.status === 204 ? undefined : await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const send = async (to: string, fields: object = {}) => {
    const body = { to, subject: `News for ${to}`, content: 'Hello', ...fields };
    return sentSchema.parse(await call('POST', '/api/v1/emails/send', body, apiKey));
  };
  return { call, send };
}

async function makeLink(baseUrl: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const made = await fetchPatiently(`${baseUrl}/console/links`, { method: 'POST', headers });
  return `${baseUrl}${linkSchema.parse(await made.json()).path}`;
}

async function signIn(page: Page, { description }: LocalStack): Promise<void> {
  await goPatiently(page, await makeLink(description.baseUrl, description.manageKey));
  await page.getByText('It opens the console of').waitFor();
  await page.getByRole('button', { name: 'Sign in to the console' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
  // What the first page asks must not count for the next one.
  await settled(page);
}

/**
 * Asks and notes what the console does when a person signs in with a link, from an empty page: loading the console for
 * that takes as long as many a test.
 */
export async function startSession(page: Page, baseUrl: string, key: string): Promise<void> {
  const link = new URL(await makeLink(baseUrl, key)).hash.slice(1);
  await openEmpty(page, baseUrl);
  await followLink(page, link);
}

/** @param site the twin by another name. */
export async function startSessionOf(
  page: Page,
  stack: LocalStack,
  email: string,
  site = stack.description.baseUrl,
): Promise<void> {
  const before = (await linksTo(stack, email)).length;
  await openEmpty(page, site);
  expect(await askFrom(page, '/console/sign-in', { email })).toBe(202);
  await followLink(page, new URL(await mailedLink(stack, email, before)).hash.slice(1));
}

async function openEmpty(page: Page, baseUrl: string): Promise<void> {
  const empty = `${baseUrl}/empty`;
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(empty);
  await page.unroute(empty);
}

async function followLink(page: Page, link: string): Promise<void> {
  expect(await askFrom(page, '/console/session', { link })).toBe(204);
  await page.evaluate(
    `localStorage.setItem('console-session-until', '${Number.MAX_SAFE_INTEGER}')`,
  );
}

async function askFrom(page: Page, address: string, body: object): Promise<number> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const ask = `fetch('${address}', ${JSON.stringify(request)}).then(({ status }) => status)`;
  return vi.waitUntil(async () => {
    const answered = await page.evaluate<number>(ask);
    return isThrottled(answered) ? undefined : answered;
  }, patience);
}

async function linksTo({ description }: LocalStack, email: string): Promise<readonly string[]> {
  const emails = await readInbox(description.inboxUrl);
  return emails
    .filter(({ destination }) => destination.to.includes(email))
    .flatMap(({ body }) => /http\S+\/console\/sign-in#\S+/.exec(body.text ?? '')?.[0] ?? []);
}

const mailedLink = (stack: LocalStack, email: string, after: number): Promise<string> =>
  vi.waitUntil(async () => (await linksTo(stack, email))[after], patience);

/** A tab that is signed in, and notes what no page may cause. */
function watch(page: Page, { description: { baseUrl } }: LocalStack, key: string) {
  const complaints = complaintsOf(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    // A file that is made here is of no origin.
    if (origin !== baseUrl && origin !== 'null') complaints.push(`request to ${request.url()}`);
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  // The page asks again, which is no other question.
  page.on('response', (response) => {
    const index = asked.lastIndexOf(new URL(response.url()).pathname);
    if (isThrottled(response.status()) && index >= 0) asked.splice(index, 1);
  });
  return {
    page,
    /** Before what a session may only do after showing its key: for five minutes, nothing asks for it. */
    showKey: async () => {
      const shown = await page.context().request.post(`${baseUrl}/console/session/confirm`, {
        headers: { origin: baseUrl },
        data: { key },
      });
      expect(shown.status()).toBe(200);
    },
    /** What the browser or the page complained of since the last `open`. */
    complaints,
    /** The paths of the API that were asked since the last `open`. */
    asked,
    open: async (address: string) => {
      // Until the new page comes, the last one may still repeat what a throttle refused.
      page.once('framenavigated', () => {
        complaints.length = 0;
        asked.length = 0;
      });
      await goPatiently(page, `${baseUrl}${address}`);
      await settled(page);
    },
  };
}

/** A throttle may refuse the document itself, and a person then loads it again. */
export const goPatiently = (page: Page, url: string) =>
  vi.waitUntil(async () => !isThrottled((await page.goto(url))?.status() ?? 0), patience);

/**
 * What the browser and the page's code complain of from now on, except for throttled requests, which the page repeats.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!refusedRequest.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Chromium's words for a throttled request. */
const refusedRequest = /^Failed to load resource: .* status of (?:429|503)\b/;

/** Signs in on the page that asks for it. */
export async function signInByKey(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).click();
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs out, which is in the menu of who is signed in. */
export async function signOut(page: Page): Promise<void> {
  await openOwnMenu(page);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}

export const openOwnMenu = (page: Page) => page.locator('.me > button').click();

/** Waits until a page of the console shows what it has asked for. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** The first `PUT` to the address goes through, but its answer is lost. */
export async function loseAnswer(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
}

/**
 * From its next address on, the page asks nothing again by itself, as it does every 10 or 15 seconds: where a test
 * counts requests, those of a slow machine would be too many.
 */
export const stopPolls = (page: Page) =>
  page.addInitScript(`{
    const later = setTimeout;
    setTimeout = (run, ms, ...rest) => (ms >= 10_000 ? 0 : later(run, ms, ...rest));
    setInterval = () => 0;
  }`);
