import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { localOperator } from '../../infra/local/environment.ts';
import { axeFaultsAt } from '../support/axe-faults.ts';
import { type ConsoleLab, openConsoleLab, openOwnMenu, settled } from '../support/console-lab.ts';
import { fetchPatiently } from '../support/fetch-patiently.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const createdSchema = z.object({ organization: z.object({ id: z.string() }) });

/** As a program of the operator does. */
async function createOrganization(name: string): Promise<string> {
  const { baseUrl, operatorSecret } = lab.stack.description;
  const answer = await fetchPatiently(new URL('/api/v1/organizations', baseUrl), {
    method: 'POST',
    headers: { 'x-operator-secret': operatorSecret, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return createdSchema.parse(await answer.json()).organization.id;
}

const auditSchema = z.object({ data: z.array(z.looseObject({ action: z.string() })) });

describe('an operator', () => {
  it('finds an organization, pauses it, changes a limit, and resumes it', async () => {
    const id = await createOrganization('Acme Ltd');
    const { page, open, complaints } = await lab.openTabOf(localOperator);
    await open('/console');
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    expect(await navigation.allTextContents()).toEqual(['Organizations', 'Domain claims', 'Costs']);
    await page.getByRole('link', { name: 'Example Ltd' }).waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);

    await page.getByRole('searchbox').fill('acme');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: 'Example Ltd' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Acme Ltd' }).click();
    await page.getByRole('heading', { name: 'Acme Ltd', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/organizations/${id}`);
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);

    await page.getByRole('button', { name: 'Pause…' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change a limit…' }).click();
    await page.getByLabel('At most').fill('5000');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const limit = page.getByRole('row', { name: 'Recipients a day' });
    await limit.getByText((5_000).toLocaleString('en')).waitFor();
    await limit.getByText('Its own').waitFor();
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('Paused', { exact: true }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('vouches for a domain, sees the claims and releases one, and what the month cost', async () => {
    const id = await createOrganization('Claims Ltd');
    const { page, open, complaints } = await lab.openTabOf(localOperator);
    await open(`/console/organizations/${id}`);
    await page.getByRole('button', { name: 'Vouch for a domain…' }).click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('mail.claims.example');
    await page.getByRole('button', { name: 'Vouch', exact: true }).click();
    await page.getByText('Vouched for mail.claims.example').waitFor();

    await page.getByRole('link', { name: 'Domain claims' }).click();
    const row = page.getByRole('row', { name: 'mail.claims.example' });
    await row.getByText('Vouched').waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    await row.getByRole('button', { name: 'Release mail.claims.example' }).click();
    await page.getByRole('button', { name: 'Release', exact: true }).click();
    await row.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Costs' }).click();
    await page.getByText('An estimate, in US dollars').waitFor();
    await page.getByRole('link', { name: 'Example Ltd' }).waitFor();
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('enters an organization with a reason, sees the banner on each page, and leaves', async () => {
    const { page, open, complaints } = await lab.openTabOf(localOperator);
    const { organizationId } = lab.stack.description;
    await open(`/console/organizations/${organizationId}`);
    await page.getByRole('button', { name: 'Enter…' }).click();
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await page.getByText('Fill this in.').waitFor();
    await page.getByLabel('Reason').fill('Ticket 4711: bounces');
    await page.getByRole('button', { name: 'Enter', exact: true }).click();

    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const banner = page.getByText('You’re in Example Ltd as operator: Ticket 4711: bounces');
    const navigation = page.getByRole('navigation', { name: 'Console' });
    const names = await navigation.getByRole('link').allTextContents();
    expect(names).not.toContain('API keys');
    for (const name of names) {
      await navigation.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await banner.waitFor();
    }
    expect(await axeFaultsAt(page, [390, 1440])).toEqual([]);
    await openOwnMenu(page);
    await page.getByRole('link', { name: 'Changelog' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    const { data } = auditSchema.parse(await lab.call('GET', '/api/v1/audit?limit=1'));
    expect(data).toMatchObject([
      {
        action: 'operator.entered',
        person: localOperator,
        after: { reason: 'Ticket 4711: bounces' },
      },
    ]);

    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Example Ltd', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Enter…' }).waitFor();
    expect(await banner.count()).toBe(0);
    await settled(page);
    expect(complaints).toEqual([]);
  });
});
