import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Organization } from '#shared/organizations/organization';
import { putCategory } from '#shared/preferences/category-store';
import {
  type endpoint,
  showPagePreview,
} from '../../../functions/show-page-preview/show-page-preview.ts';
import { openAccount } from '../../support/account.ts';

async function openPages(settings: Partial<Organization> = {}) {
  const { table, caller, organizationId } = await openAccount(settings);
  await putCategory(table, organizationId, { key: 'news', name: '<i>News</i>' });
  return async (page: RequestTo<typeof endpoint>['path']['page']) =>
    load(await showPagePreview(table, { caller, path: { page } }));
}

describe('showPagePreview', () => {
  it('shows how bulk emails end, in HTML and in text', async () => {
    const show = await openPages({ footerText: 'Example Ltd\n1 <Example> Street' });

    const page = await show('footer');

    expect(page('body > div').last().text()).toBe(
      'Example Ltd1 <Example> StreetUnsubscribe · Email preferences',
    );
    expect(page('pre').text()).toMatch(/-- \nExample Ltd\n1 <Example> Street\nUnsubscribe: https:/);
  });

  it("shows the organization's name in a footer without text", async () => {
    const page = await (await openPages({ name: 'Northwind & Sons' }))('footer');

    expect(page('pre').text()).toContain('-- \nNorthwind & Sons\n');
  });

  it.each([
    ['unsubscribe', 'Unsubscribe?'],
    ['unsubscribed', 'You are unsubscribed'],
    ['preferences', 'Email preferences'],
  ] as const)('shows the page %s, whose links and form lead nowhere', async (name, heading) => {
    const page = await (await openPages({ name: 'Northwind' }))(name);

    expect(page('h1').text()).toBe(heading);
    expect(page('header').text()).toBe('Northwind');
    expect(page('main').text()).toContain('a***@example.com');
    const addresses = [...page('a, form')].map(
      ({ attribs }) => attribs['href'] ?? attribs['action'],
    );
    expect(new Set(addresses)).toEqual(new Set(['#']));
  });

  it('offers the existing categories', async () => {
    const page = await (await openPages())('preferences');

    expect(page('label bdi').text()).toBe('<i>News</i>');
    expect(page('label input[type=checkbox]').attr('checked')).toBeDefined();
  });
});
