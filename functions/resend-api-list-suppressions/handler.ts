import { serveResend } from '#shared/resend/serve-resend';
import {
  openNewerSuppressionsStore,
  openSuppressionListStore,
} from '#shared/suppressions/suppression-list-store';
import { endpoint } from './endpoint.ts';
import { listResendSuppressions } from './list-resend-suppressions.ts';

export const handler = serveResend(
  endpoint,
  { suppressionList: openSuppressionListStore, newer: openNewerSuppressionsStore },
  listResendSuppressions,
);
