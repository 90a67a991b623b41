import type { SearchEntry } from '../../functions/show-docs/app/search.ts';
import type { RenderedPage } from './docs-shell.ts';
import { addressOf, type Group } from './documents.ts';

/** Each listed heading with the text below it. Not what has a word on everything, such as the changelog. */
export const searchIndex = (pages: readonly RenderedPage[]): readonly SearchEntry[] =>
  pages
    .filter(({ group }) => group !== 'More')
    .flatMap(({ path, title, group, searchedUntil, sections }) => {
      const about = otherServices.get(path);
      const end = sections.findIndex(({ anchor }) => anchor === searchedUntil);
      return sections
        .slice(0, end === -1 ? undefined : end)
        .map(({ level, text, anchor, words }): SearchEntry => {
          const address = level === 1 ? addressOf(path) : `${addressOf(path)}#${anchor}`;
          const alsoCalled = otherNames[address];
          return {
            title: text,
            page: level === 1 ? '' : title,
            address,
            text: words,
            weight: weightOfPage.get(path) ?? weights[group],
            ...(alsoCalled !== undefined && { alsoCalled }),
            ...(about !== undefined && { about }),
          };
        });
    });

/** A guide explains how; the reference repeats each field in many places. */
const weights: Readonly<Record<Group, number>> = {
  Guides: 1.6,
  Tasks: 1.5,
  Operating: 1,
  'API reference': 1,
  More: 0,
};

/** Synonyms that people search for. */
const weightOfPage: ReadonlyMap<string, number> = new Map([
  ['api/errors', 0.7],
  ['api/webhook-messages', 0.7],
]);

/** Other words for a heading. A test checks that each heading exists. */
export const otherNames: Readonly<Record<string, string>> = {
  '/docs#before-you-start': 'local development locally localhost run on my machine docker install',
  '/docs/custom-domain#from-identity': 'dkim spf dmarc dns records verify sender authentication',
  '/docs/go-live': 'production checklist launch readiness before you go live',
  '/docs/operating#another-kms-key': 'encryption at rest customer managed key cmk',
  '/docs/operating#concurrency': 'lambda quota 503 service unavailable',
  '/docs/operating#cost': 'pricing price bill money',
  '/docs/operating#deploy': 'terraform cloudformation cdk installation self host hosting',
  '/docs/operating#least-privilege': 'iam permissions roles policy security',
  '/docs/operating#link-domains': 'tracking domain custom click links host',
  '/docs/operating#logs': 'personal data privacy pii logging cloudwatch',
  '/docs/people': 'users members team colleagues permissions access control rbac login sso',
  '/docs/organizations': 'multi tenant tenancy customers accounts workspace team saas',
  '/docs/pipeline': 'ci cd github actions continuous deployment',
  '/docs/recipients#erase-a-person':
    'gdpr delete right to be forgotten dsgvo ccpa data deletion request',
  '/docs/recipients#preferences-and-unsubscribe':
    'opt out subscription center list unsubscribe link one click',
  '/docs/runbook#a-key-has-leaked': 'leaked api key stolen compromised token',
  '/docs/recipients#suppressions': 'blocklist block list do not send bounced addresses',
  '/docs/recipients#why-didnt-ann-get-it':
    'not delivered missing email never arrived deliverability spam',
  '/docs/remove': 'uninstall destroy delete everything tear down',
  '/docs/restore': 'disaster recovery backup point in time',
  '/docs/retries#retries-and-idempotency':
    'idempotency key lifetime expiry how long duplicate emails twice exactly once',
  '/docs/tasks#api-keys': 'rate limit cap per minute token rotate secret scopes permissions',
  '/docs/tasks#attachments': 'larger than mb file size upload pdf inline image',
  '/docs/tasks#policies-and-categories': 'newsletter marketing bulk topics',
  '/docs/tasks#read-the-content-and-send-it-again': 'see body preview html stored',
  '/docs/tasks#send-later-or-through-a-queue': 'schedule scheduled an email delay cancel',
  '/docs/tasks#send-many': 'batch bulk',
  '/docs/tasks#tracking': 'open click pixel turn off disable apple mail privacy proxy bots',
  '/docs/tasks#try-a-bounce-a-complaint-or-a-delay': 'test simulate bounces',
  '/docs/tasks#who-changed-what': 'audit log trail history',
  '/docs/tasks#why-does-my-program-get-400': 'validation error bad request 422 debug',
  '/docs/templates#defaults-variables-languages-and-layouts':
    'template languages translation localization i18n locale fallback variables',
  '/docs/upgrade': 'update new version release migrate',
  '/docs/webhooks#look-at-deliveries-and-repeat-them': 'redeliver replay failed webhook log',
  '/docs/webhooks#retries': 'webhook attempts backoff',
};

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
