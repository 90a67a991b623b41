import { maxRecipients } from '#shared/sending/request/send-fields';

export const postmarkEmailWords = {
  section: 'Postmark',
  fields: {
    From: 'The sender: any address of one of your active domains, with a name if you like.',
    To: `The recipients, separated by commas, each with a name if you like. \`To\`, \`Cc\` and \`Bcc\` have at most ${maxRecipients} together.`,
    Cc: 'More recipients, separated by commas.',
    Bcc: 'The same. They don’t appear in any header.',
    ReplyTo: 'Where replies go: one address, or several separated by commas.',
    Subject: 'The subject, in one line.',
    HtmlBody: 'The HTML body. Tracking is added to it.',
    TextBody: 'The text body. Without it, the email gets the text of `HtmlBody`.',
    Tag: 'A tag: letters, digits, `_` and `-`. Lists, webhooks and usage show it as `tag`. It isn’t sent.',
    Metadata: 'Values that come back in the message’s details and in webhooks. They are not sent.',
    Headers:
      'Custom headers. Those that the service or SES sets are refused. `Message-ID`, `MIME-Version` and `Content-Transfer-Encoding` are left out: Rails writes them, and the message has its own.',
    'Headers.Name': 'The name, unique within an email.',
    'Headers.Value': 'The value.',
    Attachments: 'The attachments.',
    'Attachments.Name': 'The file’s name as recipients see it.',
    'Attachments.Content': 'The file in base64, in one line or several.',
    'Attachments.ContentType': 'The file’s media type.',
    'Attachments.ContentID':
      'Shows the file inside the HTML, where it has `<img src="cid:…">` with this ID. With or without `cid:`. An ID that `HtmlBody` doesn’t show is dropped.',
    'Attachments.ContentId': 'The same, as Postmark’s PHP client writes it.',
    TrackOpens: 'Whether opens are tracked. Default: the policy’s or the organization’s setting.',
    TrackLinks:
      'Whether links in the HTML are tracked: `None`, `HtmlOnly` or `HtmlAndText`, which does the same. Default: the policy’s or the organization’s setting.',
    MessageStream:
      'The key of a policy. `outbound` is the policy `transactional`, `broadcast` is `bulk`. Default: that of the organization.',
    TemplateId: 'The ID of the template. Postmark’s numbers are refused.',
    TemplateAlias: 'The alias of the template, or its ID.',
    TemplateModel: 'The values of the template’s variables.',
    InlineCss: '`false` or absent: styles stay as the template has them.',
    Messages: 'The emails.',
    SubmittedAt: 'When the request was answered, in ISO 8601.',
    MessageID: 'The ID of the send.',
    ErrorCode: '0, or Postmark’s number of the error.',
    Message: '`OK`, or what happened, and what to do.',
  },
} as const;
