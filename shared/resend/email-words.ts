import { maxRecipients } from '#shared/sending/request/send-fields';

export const resendEmailWords = {
  section: 'Resend',
  fields: {
    from: 'The sender: any address of one of your active domains, with a name if you like. Optional with a `template`.',
    to: `One address, or several as a list, each with a name if you like. \`to\`, \`cc\` and \`bcc\` have at most ${maxRecipients} together.`,
    cc: 'One address, or several as a list.',
    bcc: 'One address, or several as a list. They don’t appear in any header.',
    reply_to: 'Where replies go: one address, or several as a list.',
    subject: 'The subject, in one line. Optional with a `template`.',
    html: 'The HTML body. Tracking is added to it.',
    text: 'The text body. Without it, the email gets the text of `html`.',
    headers: 'Custom headers, by name. Those that the service or SES sets are refused.',
    tags: 'Names and values. Lists, webhooks and usage show them. They aren’t sent.',
    'tags.name': 'The name, unique within an email.',
    'tags.value': 'The value.',
    'attachments.content':
      'The file: base64, a list of bytes, or `{"type": "Buffer", "data": […]}`, which is how JSON has a Buffer of Node.js. A calendar (`BEGIN:VCALENDAR…`) may be text.',
    'attachments.content.type': '`Buffer`.',
    'attachments.content.data': 'The bytes.',
    'attachments.filename': 'The file’s name as recipients see it. Optional with a `path`.',
    'attachments.path':
      'An `https://` URL that the service fetches the file from, instead of `content`.',
    'attachments.content_type': 'The file’s media type.',
    'attachments.content_id':
      'Shows the file inside the HTML, where it has `<img src="cid:…">` with this ID.',
    'attachments.inline_content_id': 'The older name of `content_id`, which takes precedence.',
    scheduled_at:
      'When the email goes out: ISO 8601 with a time zone, or in words such as `in 1 min`, `tomorrow at 9am`, `Friday at 3pm ET`; up to 30 days ahead.',
    template: 'The template that subject and bodies come from.',
    'template.id': 'Its ID or its alias.',
    'template.variables': 'The values of its variables.',
    topic_id: 'Refused: there are no topics here.',
  },
} as const;
