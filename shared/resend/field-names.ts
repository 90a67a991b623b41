import { faultsOfForeignEmail, type Names, renamed } from '#shared/errors/foreign-names';
import type { FieldError, ServiceError } from '#shared/errors/service-error';

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

/** Our template fields are all within one field there. A template's own `variables` aren't. */
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

export const faultsInResendNames = ({ errors = [] }: ServiceError): readonly FieldError[] =>
  errors.map((fault) => renamed(fault, names));

export const faultsOfEmail = (error: ServiceError): readonly FieldError[] =>
  faultsOfForeignEmail(error, { email: emailNames, attachment: attachmentNames });
