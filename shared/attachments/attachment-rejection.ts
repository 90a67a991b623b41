import { ServiceError } from '#shared/errors/service-error';
import type { Entitlement } from './entitlement-service.ts';

/** A megabyte is 1024 × 1024 bytes, as file managers and mail programs count. */
export const megabyte = 1024 * 1024;

export type AttachmentRejection = 'plan_required' | 'too_many' | 'invalid_base64' | 'too_large';

export type Rejection = ServiceError & { readonly code: AttachmentRejection };

const reject = (
  code: AttachmentRejection,
  message: string,
  paths: readonly string[],
  retryAfterSeconds?: number,
): Rejection =>
  Object.assign(
    new ServiceError(code, message, { errors: paths.map((path) => ({ path, message })) }),
    { code, retryAfterSeconds },
  );

export const planRequired = ({ failure }: Entitlement, path: string): Rejection =>
  failure === undefined
    ? reject(
        'plan_required',
        'Attachments are not enabled for this organization. Send without them, or ask the operator.',
        [path],
      )
    : reject(
        'plan_required',
        'Could not confirm that attachments are enabled for this organization. Nothing was sent. Retry later.',
        [path],
        5,
      );

export const tooMany = (maxCount: number): Rejection =>
  reject('too_many', `An email may have up to ${maxCount} attachments.`, ['attachments']);

export const invalidBase64 = (indexes: readonly number[]): Rejection =>
  reject(
    'invalid_base64',
    'Must be base64 as in RFC 4648 §4: with padding, no line breaks, not URL-safe.',
    indexes.map((index) => `attachments.${index}.contentBase64`),
  );

const totalLimit = (maxTotalBytes: number): string =>
  `Attachments may have ${maxTotalBytes} bytes in total (${maxTotalBytes / megabyte} MB), decoded.`;

export const tooLarge = (totalBytes: number, maxTotalBytes: number, path: string): Rejection =>
  reject('too_large', `${totalLimit(maxTotalBytes)} These have ${totalBytes}.`, [path]);

/** @param path of the file that passed the limit. The rest isn't fetched, so its size is unknown. */
export const grownTooLarge = (maxTotalBytes: number, path: string): Rejection =>
  reject('too_large', `${totalLimit(maxTotalBytes)} This file exceeds that.`, [path]);
