import { expect, it } from 'vitest';
import { readIndex, search } from '../../../../functions/show-docs/app/search.ts';
import { docsPages } from '../../../../infra/docs/build-docs.ts';
import { renderPage } from '../../../../infra/docs/docs-shell.ts';
import { searchIndex } from '../../../../infra/docs/search-index.ts';
import { describeService } from '../../../../infra/openapi/describe-service.ts';
import { routedEndpoints } from '../../../../infra/openapi/endpoints.ts';

const pages = docsPages(describeService(routedEndpoints)).map(renderPage);
const index = readIndex(searchIndex(pages));

/** What people ask, in their own words, and the page that answers it. */
it.each([
  ['idempotency key lifetime', '/docs/retries#retries-and-idempotency'],
  ['duplicate emails', '/docs/retries#retries-and-idempotency'],
  ['delete a person GDPR', '/docs/recipients#erase-a-person'],
  ['right to be forgotten', '/docs/recipients#erase-a-person'],
  ['email not delivered', '/docs/recipients#why-didnt-ann-get-it'],
  ['import suppression list', '/docs/recipients#suppressions'],
  ['unsubscribe link', '/docs/recipients#preferences-and-unsubscribe'],
  ['multi-tenant', '/docs/organizations'],
  ['terraform', '/docs/operating#deploy'],
  ['pricing', '/docs/operating#cost'],
  ['how much does it cost', '/docs/operating#cost'],
  ['lambda concurrency', '/docs/operating#concurrency'],
  ['iam permissions', '/docs/operating#least-privilege'],
  ['encryption', '/docs/operating#another-kms-key'],
  ['personal data in logs', '/docs/operating#logs'],
  ['tracking domain', '/docs/operating#link-domains'],
  ['local development', '/docs#before-you-start'],
  ['run it locally', '/docs#before-you-start'],
  ['dkim', '/docs/custom-domain#from-identity'],
  ['spf record', '/docs/custom-domain#from-identity'],
  ['dmarc', '/docs/custom-domain#from-identity'],
  ['attachments larger than 4 MB', '/docs/tasks#attachments'],
  ['upload a file', '/docs/tasks#attachments'],
  ['schedule an email', '/docs/tasks#send-later-or-through-a-queue'],
  ['cancel scheduled email', '/docs/tasks#send-later-or-through-a-queue'],
  ['batch', '/docs/tasks#send-many'],
  ['test a bounce', '/docs/tasks#try-a-bounce-a-complaint-or-a-delay'],
  ['rotate api key', '/docs/api/api-keys#rotate-an-api-key'],
  ['rate limit', '/docs/tasks#api-keys'],
  ['turn off open tracking', '/docs/tasks#tracking'],
  ['apple mail privacy', '/docs/tasks#tracking'],
  ['see the content of an email', '/docs/tasks#read-the-content-and-send-it-again'],
  ['audit log', '/docs/tasks#who-changed-what'],
  ['typescript client', '/docs/tasks#from-typescript-with-types'],
  ['400 validation error', '/docs/tasks#why-does-my-program-get-400'],
  ['newsletter policy', '/docs/tasks#policies-and-categories'],
  ['webhook signature', '/docs/verify-webhooks#check-the-signature'],
  ['webhook retries', '/docs/webhooks#retries'],
  ['redeliver a webhook', '/docs/webhooks#look-at-deliveries-and-repeat-them'],
  ['template languages', '/docs/templates#defaults-variables-languages-and-layouts'],
  ['production checklist', '/docs/go-live'],
  ['leaked api key', '/docs/runbook#a-key-has-leaked'],
  ['dead letter queue', '/docs/runbook#dead-letters'],
  ['disaster recovery', '/docs/restore'],
  ['uninstall', '/docs/remove'],
  ['update to a new version', '/docs/upgrade'],
  ['ci cd', '/docs/pipeline'],
])('answers %j', (question, address) => {
  expect(search(index, question)[0]?.address).toBe(address);
});
