import { type FieldError, ServiceError } from '#shared/errors/service-error';

/** A fault of a request, with paths and words of Resend's API. Other errors name our fields. */
export class ResendNamedError extends ServiceError {}

type Names = Readonly<Record<string, string>>;

/** What our fields are called in Resend's API. Those that aren't here have our names. */
const names: Names = {
  htmlContent: 'html',
  content: 'text',
  replyTo: 'reply_to',
  sendAt: 'scheduled_at',
  mailFromLabel: 'custom_return_path',
  domain: 'name',
  url: 'endpoint',
  eventTypes: 'events',
};

/** In an email to be sent, what concerns its template is within one field. A template's `variables` are its own. */
const emailNames: Names = {
  ...names,
  template: 'template.id',
  templateId: 'template.id',
  variables: 'template.variables',
};

const attachmentNames: Names = {
  contentBase64: 'content',
  uploadId: 'content',
  url: 'path',
  contentType: 'content_type',
  contentId: 'content_id',
};

/** The faults of a request as a caller of Resend's API knows its fields. */
export const faultsInResendNames = ({ errors = [] }: ServiceError): readonly FieldError[] =>
  errors.map((fault) => renamed(fault, names));

/** The same of an email to be sent. */
export const faultsOfEmail = (error: ServiceError): readonly FieldError[] => {
  const { errors = [] } = error;
  return error instanceof ResendNamedError ? errors : errors.map(inEmailNames);
};

function inEmailNames(fault: FieldError): FieldError {
  const [first, ...rest] = fault.path.split('.');
  if (first !== 'attachments') return renamed(fault, emailNames);
  const path = [first, ...rest.map((part) => nameIn(attachmentNames, part))].join('.');
  return { path, message: withNames(fault.message, attachmentNames) };
}

function renamed({ path, message }: FieldError, names: Names): FieldError {
  const [first = '', ...rest] = path.split('.');
  return { path: [nameIn(names, first), ...rest].join('.'), message: withNames(message, names) };
}

/** Our names within a sentence: whole words that could mean nothing else. */
const withNames = (message: string, names: Names): string =>
  message.replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (word) => nameIn(names, word));

/** Callers choose the names of unknown fields: `constructor` is one. */
const nameIn = (names: Names, word: string): string =>
  (Object.hasOwn(names, word) ? names[word] : undefined) ?? word;
