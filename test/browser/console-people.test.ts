import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { axeFaultsAt } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  complaintsOf,
  goPatiently,
  openConsoleLab,
  settled,
  signOut,
  stopPolls,
} from '../support/console-lab.ts';

const withIdSchema = z.object({ id: z.string() });

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const invite = async (email: string, role: string) =>
  withIdSchema.parse(await lab.call('POST', '/api/v1/people', { email, role })).id;

/** In a browser that never signed in. */
async function openBrowser(address = '/console') {
  const context = await lab.browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await goPatiently(page, `${lab.stack.description.baseUrl}${address}`);
  return { context, page, complaints };
}

const withSendIdSchema = z.object({ sendId: z.string() });

/** Something for each page to show. */
async function fillPages() {
  await lab.call('PATCH', '/api/v1/organization', { keepContentDays: 7 });
  const hook = { url: 'http://127.0.0.1:9/hook', description: 'orders' };
  const { id: webhook } = withIdSchema.parse(await lab.call('POST', '/api/v1/webhooks', hook));
  const template = { name: 'receipt', subject: 'Receipt', content: 'Thanks, {{name}}' };
  const made = withIdSchema.parse(await lab.call('POST', '/api/v1/templates', template));
  await lab.call('POST', '/api/v1/suppressions', { email: 'zoe@example.com' });
  const fields = { subject: 'Your receipt', cc: 'bounce+cc@simulator.amazonses.com' };
  const { sendId } = withSendIdSchema.parse(await lab.send('ann@example.com', fields));
  const later = { subject: 'Later', sendAt: new Date(Date.now() + 3_600_000).toISOString() };
  const { sendId: waiting } = withSendIdSchema.parse(await lab.send('ann@example.com', later));
  return {
    email: `/console/emails/${sendId}`,
    waiting: `/console/emails/${waiting}`,
    person: '/console/addresses/ann%40example.com',
    suppressed: '/console/addresses/zoe%40example.com',
    template: `/console/templates/${made.id}`,
    webhook: `/console/webhooks/${webhook}`,
  };
}

const pages = {
  viewer: ['Overview', 'Emails', 'Templates', 'Contacts', 'Suppressions', 'Usage'],
  support: [
    'Overview',
    'Emails',
    'Templates',
    'Contacts',
    'Suppressions',
    'Webhooks',
    'Refused requests',
    'Usage',
  ],
  developer: [
    'Overview',
    'Emails',
    'Templates',
    'Contacts',
    'Suppressions',
    'Webhooks',
    'Domains',
    'API keys',
    'Refused requests',
    'Usage',
  ],
  admin: [
    'Overview',
    'Emails',
    'Templates',
    'Contacts',
    'Suppressions',
    'Webhooks',
    'Domains',
    'API keys',
    'Refused requests',
    'Usage',
    'Settings',
  ],
};

/** Some buttons that a role has, and the page they are on. */
const offers: Readonly<
  Record<string, readonly [page: string, button: string, ...roles: string[]]>
> = {
  'Show content': ['email', 'Show content', 'support', 'admin'],
  'Send again': ['email', 'Send again…', 'support', 'admin'],
  Cancel: ['waiting', 'Cancel this email', 'support', 'admin'],
  Erase: ['person', 'Erase ann@example.com', 'support', 'admin'],
  Lift: ['suppressed', 'Lift the suppression of zoe@example.com', 'support', 'admin'],
  Publish: ['template', 'Publish', 'developer', 'admin'],
  Redeliver: ['webhook', 'Redeliver failed…', 'support', 'developer', 'admin'],
  'Send test': ['webhook', 'Send test', 'developer', 'admin'],
  'Create key': ['API keys', 'Create key', 'developer', 'admin'],
  'Add domain': ['Domains', 'Add domain', 'admin'],
  Export: ['Emails', 'Export CSV', 'admin'],
};

const settingsTabs = ['General', 'People', 'Policies', 'Notices', 'Footer and unsubscribe page'];

describe('by role', () => {
  let filled: Awaited<ReturnType<typeof fillPages>>;
  beforeAll(async () => {
    filled = await fillPages();
  });

  it.each(['viewer', 'support', 'developer', 'admin'] as const)(
    'a %s sees the pages of the role, which ask nothing that the service refuses',
    async (role) => {
      await invite(`${role}@example.com`, role);
      const { page, open, complaints } = await lab.openTabOf(`${role}@example.com`);
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(response.url());
      });
      const found: string[] = [];
      const note = async (at: string) => {
        await settled(page);
        for (const [name, [where, button]] of Object.entries(offers)) {
          const it = page.getByRole('main').getByRole('button', { name: button, exact: true });
          if (where === at && (await it.count()) > 0) found.push(name);
        }
      };
      await open('/console');
      const navigation = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
      expect(await navigation.allTextContents()).toEqual(pages[role]);

      for (const name of pages[role]) {
        await page
          .getByRole('navigation', { name: 'Console' })
          .getByRole('link', { name, exact: true })
          .click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await note(name);
      }
      const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
      const names = await tabs.allTextContents();
      expect(names).toEqual(role === 'admin' ? [...settingsTabs, 'Audit log'] : []);
      for (const name of names) {
        await page.getByRole('link', { name, exact: true }).click();
        await note(name);
      }
      for (const [name, address] of Object.entries(filled)) {
        if (name === 'webhook' && role === 'viewer') continue;
        await open(address);
        await note(name);
      }
      await open('/console/emails?search=key');
      await page.waitForLoadState('networkidle');

      expect(found.sort()).toEqual(
        Object.entries(offers)
          .flatMap(([name, [, , ...roles]]) => (roles.includes(role) ? [name] : []))
          .sort(),
      );
      expect(refused).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it('says so where a role has no page, and where it doesn’t include what emails say', async () => {
    await invite('vera@example.com', 'viewer');
    const { page, open, asked } = await lab.openTabOf('vera@example.com');

    for (const address of ['/console/keys', filled.webhook, '/console/settings/audit']) {
      await open(address);
      await page.getByText('Your role doesn’t include this page.').waitFor();
      expect(asked).toEqual([]);
    }
    await open(filled.email);
    await page.getByText('Your role doesn’t include what emails say.').waitFor();
    await open(filled.template);
    expect(await page.getByLabel('Text body').getAttribute('readonly')).not.toBeNull();
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
  });
});

describe('signing in with an address', () => {
  it('mails a link, which signs in the browser that asked, in all of its tabs', async () => {
    await invite('carol@example.com', 'support');
    const { context, page, complaints } = await openBrowser('/console/contacts');

    await page.getByLabel('Email address').fill('Carol@example.com');
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await page.getByText('may sign in, a link is on its way').waitFor();
    const link = await lab.mailedLink('carol@example.com');
    const other = await openBrowser(new URL(link).pathname + new URL(link).hash);
    await other.page.getByRole('button', { name: 'Sign in to the console' }).click();
    await other.page.getByText('was asked for in another browser').waitFor();
    expect(await axeFaultsAt(other.page, [390, 1440])).toEqual([]);
    await other.page.getByRole('button', { name: 'Ask for a link here' }).click();
    await other.page.getByLabel('Email address').waitFor();

    const tab = await context.newPage();
    await goPatiently(tab, link);
    await tab.getByRole('button', { name: 'Sign in to the console' }).click();
    await tab.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    const foot = page.locator('.foot');
    await foot.getByText('carol@example.com').waitFor();
    await foot.getByText('Support', { exact: true }).waitFor();
    expect(complaints).toEqual([]);

    await signOut(page);
    await tab.getByLabel('Email address').waitFor();
    await goPatiently(page, link);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Ask for a link here' }).click();
    await page.getByLabel('Email address').waitFor();
  });

  it('asks again, changes the address, and says when there were too many', async () => {
    const { page } = await openBrowser();
    const ask = page.getByRole('button', { name: 'Mail me a link' });

    await ask.click();
    await page.getByText('Fill this in.').waitFor();
    await page.getByLabel('Email address').fill('nobody@example.com');
    await ask.click();
    await page.getByText('nobody@example.com').waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    await page.getByRole('button', { name: 'Change the address' }).click();
    expect(await page.getByLabel('Email address').inputValue()).toBe('nobody@example.com');
    await page.route('**/console/sign-in', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 429,
            headers: { 'retry-after': '600' },
            json: { code: 'rate_limited', detail: 'An address may be asked about.' },
          })
        : route.continue(),
    );
    await ask.click();
    await page.getByText('Too many links were requested.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await ask.click();
    await page.getByRole('button', { name: 'Mail another link' }).click();
    await page.getByText('Another link is on its way').waitFor();

    await page.getByRole('button', { name: 'Use an API key' }).click();
    await page.getByLabel('API key').waitFor();
    await page.getByRole('button', { name: 'Use your email address' }).click();
    await page.getByLabel('Email address').waitFor();
    await settled(page);
  });
});

describe('the people of an organization', () => {
  it('are invited, get another role, and are removed, each from their row', async () => {
    await invite('ruth@example.com', 'admin');
    const { page, open, complaints } = await lab.openTabOf('ruth@example.com');
    await open('/console/settings/people');
    const row = page.getByRole('row').filter({ hasText: 'dave@example.com' });

    await page.getByLabel('Email address').fill('dave@example.com');
    await page.getByLabel('Role', { exact: true }).selectOption('Developer');
    await page.getByRole('button', { name: 'Invite' }).click();
    await row.getByText('Invited, ends in 6 d').waitFor();
    expect(await page.getByLabel('Role of dave@example.com').inputValue()).toBe('developer');
    await page.getByLabel('Role of dave@example.com').selectOption('Viewer');
    await page.getByText('dave@example.com is a viewer now').waitFor();
    expect(await axeFaultsAt(page, [320, 390, 1440])).toEqual([]);
    await page.reload();
    await row.waitFor();
    expect(await page.getByLabel('Role of dave@example.com').inputValue()).toBe('viewer');
    await page.getByLabel('Email address').fill('dave@example.com');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('alert').waitFor();
    await row.getByRole('button', { name: 'Remove dave@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: 'ruth@example.com' })
      .getByText('You', { exact: true })
      .waitFor();

    await open('/console/settings/audit');
    const invited = page.getByRole('listitem').filter({ hasText: 'Person removed' }).first();
    await invited.getByText('by ruth@example.com (you)').waitFor();
    await open('/console/settings/people');
    const ruth = page.getByRole('row').filter({ hasText: 'ruth@example.com' });
    await ruth.getByRole('link', { name: 'What they did' }).click();
    const entries = page.getByRole('main').getByRole('listitem');
    await entries.filter({ hasText: 'Person removed' }).first().waitFor();
    expect(await page.getByLabel('Person').locator('option:checked').innerText()).toBe(
      'ruth@example.com',
    );
    expect(await entries.filter({ hasNotText: 'ruth@example.com' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    expect((await saved).suggestedFilename()).toBe('audit.csv');
    await page.getByRole('dialog').getByText('The file is in your downloads.').waitFor();
    expect(await axeFaultsAt(page, [320, 390, 1440])).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('lose an open tab when they are removed, and see another role at the next refusal', async () => {
    const id = await invite('heidi@example.com', 'developer');
    const { page, open } = await lab.openTabOf('heidi@example.com');
    await open('/console/keys');
    const navigation = page.getByRole('navigation', { name: 'Console' });

    await lab.call('PATCH', `/api/v1/people/${id}`, { role: 'viewer' });
    await navigation.getByRole('link', { name: 'Domains' }).click();
    await page.getByText('Your role doesn’t include this page.').waitFor();
    expect(await navigation.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await lab.call('DELETE', `/api/v1/people/${id}`);
    await navigation.getByRole('link', { name: 'Contacts' }).click();

    await page.getByText('your access was revoked').waitFor();
    await page.getByLabel('Email address').waitFor();
  });

  it('are signed out in all browsers by an admin, and may come back', async () => {
    await invite('ivan@example.com', 'viewer');
    await invite('judy@example.com', 'admin');
    const ivan = await lab.openTabOf('ivan@example.com');
    // What it asks by itself would sign it out before the click does.
    await stopPolls(ivan.page);
    await ivan.open('/console');
    const { page, open } = await lab.openTabOf('judy@example.com');
    await open('/console/settings/people');

    await page.getByRole('button', { name: 'Sign out ivan@example.com' }).click();
    expect(await axeFaultsAt(page, [320, 390, 1440])).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('ivan@example.com is signed out').waitFor();
    await ivan.page.getByRole('link', { name: 'Contacts' }).click();

    await ivan.page.getByText('your access was revoked').waitFor();
    const again = await lab.openTabOf('ivan@example.com');
    await again.open('/console');
    expect(again.complaints).toEqual([]);
  });

  it('sign in again for what outlasts a session, and the page goes on', async () => {
    await invite('oscar@example.com', 'developer');
    const { page, open } = await lab.openTabOf('oscar@example.com');
    await open('/console/keys');
    const context = page.context();
    let refusals = 0;
    await page.route('**/api/v1/api-keys', async (route) => {
      if (route.request().method() !== 'POST' || refusals > 0) return route.continue();
      refusals += 1;
      return route.fulfill({
        status: 403,
        json: { code: 'recent_sign_in_required', detail: 'Sign in again.' },
      });
    });

    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    expect(await form.getByRole('checkbox').count()).toBe(2);
    await form.getByLabel('Name', { exact: true }).fill('shop');
    await form.getByRole('button', { name: 'Create key' }).click();
    const question = page.getByRole('dialog', { name: 'Sign in again' });
    await question.getByRole('button', { name: 'Mail me a link' }).click();
    await question.getByText('A link is on its way to oscar@example.com').waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    const tab = await context.newPage();
    await goPatiently(tab, await lab.mailedLink('oscar@example.com', 1));
    await tab.getByRole('button', { name: 'Sign in to the console' }).click();

    await page.getByText('Copy the key “shop” now.').waitFor();
    expect(await question.count()).toBe(0);
    expect(refusals).toBe(1);
  });
});
