import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { axeFaultsAt } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  complaintsOf,
  goPatiently,
  openConsoleLab,
  openOwnMenu,
  settled,
  signOut,
  startSessionOf,
} from '../support/console-lab.ts';
import { siteOf } from '../support/passkey-person.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

/** Asks the person with a PIN, who enters it at once, and keeps passkeys. */
const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: authenticator,
  });
  return {
    /** The person doesn't pass the check. */
    refuse: () =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  };
}

/** At the name of the twin that passkeys are for. */
async function openPerson(email: string) {
  await lab.call('POST', '/api/v1/people', { email, role: 'admin' });
  const site = siteOf(lab.stack.description.baseUrl);
  const context = await lab.browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const device = await plugIn(page);
  await startSessionOf(page, lab.stack, email, site);
  const open = async (address: string) => {
    await goPatiently(page, `${site}${address}`);
    await settled(page);
  };
  return { page, device, complaints, open };
}

/** As in a browser that offers no passkeys below a field. The device would choose one at once. */
const offerNone = (page: Page) =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');

async function addPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('row', { name: 'Work laptop' }).waitFor();
}

describe('a passkey', () => {
  it('is added, signs in at once after signing out, and is removed', async () => {
    const { page, open, complaints } = await openPerson('ann@example.com');
    await offerNone(page);
    await open('/console/you');
    await page.getByText('No passkeys yet').waitFor();
    await addPasskey(page);
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);

    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('navigation', { name: 'Console' }).waitFor();

    await openOwnMenu(page);
    await page.getByRole('link', { name: 'Your account' }).click();
    const row = page.getByRole('row', { name: 'Work laptop' });
    await row.getByText('In the last hour').waitFor();
    await row.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No passkeys yet').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is offered where the address is typed', async () => {
    const { page, open } = await openPerson('dan@example.com');
    await open('/console/you');
    await addPasskey(page);

    await signOut(page);

    // The device chooses the passkey in the list below the field.
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await page.locator('.foot').getByText('dan@example.com').waitFor();
  });

  it('answers when the console wants a new sign-in, and the page goes on', async () => {
    const { page, open } = await openPerson('ben@example.com');
    await open('/console/you');
    await addPasskey(page);
    let refusals = 0;
    await page.route('**/console/passkeys/*', async (route) => {
      if (route.request().method() !== 'DELETE' || refusals > 0) return route.continue();
      refusals += 1;
      return route.fulfill({
        status: 403,
        json: { code: 'recent_sign_in_required', detail: 'Sign in again.' },
      });
    });

    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Sign in again' });
    await question.getByRole('button', { name: 'Use a passkey' }).click();

    await page.getByText('No passkeys yet').waitFor();
    expect(await question.count()).toBe(0);
    expect(refusals).toBe(1);
  });

  it('that the device refuses leaves the way by email', async () => {
    const { page, open, device } = await openPerson('cleo@example.com');
    await open('/console/you');
    await addPasskey(page);
    await device.refuse();

    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();

    await page.getByText('The browser gave no passkey.').waitFor();
    await page.getByLabel('Email address').fill('cleo@example.com');
    await page.getByRole('button', { name: 'Mail me a link' }).click();
    await page.getByText('a link is on its way').waitFor();
  });
});
