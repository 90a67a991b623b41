import type { SearchEntry } from '../../functions/show-docs/app/search.ts';
import type { RenderedPage } from './docs-shell.ts';
import { addressOf, type Group } from './documents.ts';

/** Each listed heading with the text below it. Not the changelog, which has a word on everything. */
export const searchIndex = (pages: readonly RenderedPage[]): readonly SearchEntry[] =>
  pages
    .filter(({ group }) => group !== 'More')
    .flatMap(({ path, title, group, sections }) => {
      const about = otherServices.get(path);
      return sections.map(
        ({ level, text, anchor, words }): SearchEntry => ({
          title: text,
          page: level === 1 ? '' : title,
          address: level === 1 ? addressOf(path) : `${addressOf(path)}#${anchor}`,
          text: words,
          weight: weightOfPage.get(path) ?? weights[group],
          ...(about !== undefined && { about }),
        }),
      );
    });

/** A guide explains how; the reference repeats each field in many places. */
const weights: Readonly<Record<Group, number>> = {
  Guides: 1.6,
  Tasks: 1.5,
  Operating: 1,
  'API reference': 1,
  More: 0,
};

/** People search for these by their own words. */
const weightOfPage: ReadonlyMap<string, number> = new Map([
  ['api/errors', 0.7],
  ['api/webhook-messages', 0.7],
]);

/** Pages for programs written for other services, and how those send. */
const otherServices: ReadonlyMap<string, string> = new Map([
  ['move-from-resend', 'Resend'],
  ['resend', 'Resend'],
  ['postmark', 'Postmark'],
  ['smtp', 'SMTP'],
  ['coming-from', 'Resend Postmark'],
  ['api/resend', 'Resend'],
  ['api/postmark', 'Postmark'],
]);
