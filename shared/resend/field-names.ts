import { type FieldError, ServiceError } from '#shared/errors/service-error';

/** A fault of a request, with paths and words of Resend's API. Other errors name our fields. */
export class ResendNamedError extends ServiceError {}

/** What our fields are called in Resend's API. */
const fields: Readonly<Record<string, string>> = {
  htmlContent: 'html',
  content: 'text',
  replyTo: 'reply_to',
  sendAt: 'scheduled_at',
  template: 'template.id',
  templateId: 'template.id',
  variables: 'template.variables',
};

/** The same where what an organization has is managed. Fields that aren't here have our names. */
const managementFields: Readonly<Record<string, string>> = {
  mailFromLabel: 'custom_return_path',
  domain: 'name',
  url: 'endpoint',
  eventTypes: 'events',
  replyTo: 'reply_to',
  htmlContent: 'html',
  content: 'text',
};

const attachmentFields: Readonly<Record<string, string>> = {
  contentBase64: 'content',
  uploadId: 'content',
  url: 'path',
  contentType: 'content_type',
  contentId: 'content_id',
};

/** The faults of a request to manage something as a caller of Resend's API knows its fields. */
export const faultsOfManagement = ({ errors = [] }: ServiceError): readonly FieldError[] =>
  errors.map(({ path, message }) => {
    const [first = '', ...rest] = path.split('.');
    const named = [managementFields[first] ?? first, ...rest].join('.');
    return { path: named, message: withNames(message, managementFields) };
  });

/** The faults of a request as a caller of Resend's API knows its fields. */
export const faultsInResendNames = (error: ServiceError): readonly FieldError[] => {
  const { errors = [] } = error;
  return error instanceof ResendNamedError ? errors : errors.map(inResendNames);
};

function inResendNames({ path, message }: FieldError): FieldError {
  const [first = '', ...rest] = path.split('.');
  if (first !== 'attachments') {
    const renamed = Object.hasOwn(fields, first) ? fields[first] : first;
    return { path: [renamed, ...rest].join('.'), message: withNames(message, fields) };
  }
  const named = rest.map((part) => attachmentFields[part] ?? part);
  return { path: [first, ...named].join('.'), message: withNames(message, attachmentFields) };
}

/** Our names within a sentence: whole words that could mean nothing else. */
const withNames = (message: string, names: Readonly<Record<string, string>>): string =>
  message.replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (word) => names[word] ?? word);
