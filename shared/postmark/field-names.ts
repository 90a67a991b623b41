import { faultsOfForeignEmail, type Names } from '#shared/errors/foreign-names';
import type { FieldError, ServiceError } from '#shared/errors/service-error';

const email: Names = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  replyTo: 'ReplyTo',
  subject: 'Subject',
  htmlContent: 'HtmlBody',
  content: 'TextBody',
  headers: 'Headers',
  tags: 'Tag',
  metadata: 'Metadata',
  tracking: 'TrackOpens',
  attachments: 'Attachments',
  policyKey: 'MessageStream',
  template: 'TemplateAlias',
  templateId: 'TemplateId',
  variables: 'TemplateModel',
};

const attachment: Names = {
  filename: 'Name',
  contentBase64: 'Content',
  uploadId: 'Content',
  url: 'Content',
  contentType: 'ContentType',
  contentId: 'ContentID',
};

export const faultsInPostmarkNames = (error: ServiceError): readonly FieldError[] =>
  faultsOfForeignEmail(error, { email, attachment }).map(({ path, message }) => ({
    path: path.replace(/^Tag\b.*/, 'Tag'),
    message,
  }));
