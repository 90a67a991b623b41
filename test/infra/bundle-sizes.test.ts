import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FunctionName } from '../../functions/endpoints.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { measureFunctions } from '../bench/bundle.ts';

// A cold start loads the bundle. One value import can double it unseen, as `core` of zod/mini did with all of zod's
// locales, so every function has a limit.

const folder = mkdtempSync(join(tmpdir(), 'bundle-sizes-'));
const bundles = await measureFunctions(
  functionCatalogue.map(({ name }) => name),
  folder,
);
rmSync(folder, { recursive: true, force: true });

/** Bytes. The two that send have SES, attachments and templates in them, and those of domains have SES and the queue. */
const limits: Partial<Record<FunctionName, number>> = {
  'send-email': 545_500,
  'send-email-batch': 553_000,
  'send-global-email': 545_000,
  // That, and Resend's names for it.
  'resend-api-send-email': 555_000,
  'resend-api-send-email-batch': 561_000,
  // What moments may be, and Resend's errors.
  'resend-api-update-email': 384_000,
  'resend-api-cancel-email': 379_000,
  // A send, and what reads contents.
  'resend-send': 554_000,
  'send-notices': 501_000,
  'set-identity': 432_000,
  'get-identity': 426_500,
  'create-domain': 434_000,
  'get-domain': 429_000,
  'update-domain': 436_000,
  'verify-domain': 432_000,
  'delete-domain': 409_500,
  // Reports in two forms, with the pages of people.
  unsubscribe: 379_000,
  // The same in Resend's words.
  'resend-api-create-domain': 435_500,
  'resend-api-get-domain': 431_500,
  'resend-api-verify-domain': 433_500,
  'resend-api-delete-domain': 411_500,
  // Workers read a stored request as the endpoints do.
  'send-queued': 517_000,
  'run-send-queue': 521_000,
  // Mustache, the tokenizer of HTML, and what templates may say.
  'render-template': 383_000,
  // That, and what reads layouts.
  'show-preview': 394_000,
  // The text of HTML, and the bucket.
  'get-send-content': 391_000,
};
/** Of the others: with a client of SES beside that of the table, with the table alone, with neither. */
const limitOf = (inputs: readonly string[]): number => {
  if (inputs.some((file) => file.includes('@aws-sdk/client-sesv2/'))) return 408_000;
  return inputs.some((file) => file.includes('@aws-sdk/client-dynamodb/')) ? 376_500 : 101_500;
};

it.each(functionCatalogue)('$name stays within its limit', ({ name }) => {
  const bundle = bundles.get(name);

  const files = Object.keys(bundle?.inputs ?? {});
  expect(bundle?.bytes).toBeLessThanOrEqual(limits[name] ?? limitOf(files));
  expect(files.filter((file) => file.includes('zod/v4/locales/'))).toEqual([]);
});
