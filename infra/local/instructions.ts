import type { StackDescription } from './stack.ts';

/** What somebody new reads when the twin is ready. */
export const instructions = (
  { baseUrl, apiKey, inboxUrl }: StackDescription,
  { seconds, stackFile, logFile }: Record<'seconds' | 'stackFile' | 'logFile', string>,
): string => `
The email service runs on this machine (ready in ${seconds} s). No email leaves it.

Send an email:

  curl -i ${baseUrl}/api/v1/emails/send \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"to": "ada@example.com", "subject": "Hello", "content": "It works."}'

Read it in the inbox:

  ${inboxUrl}

Follow what became of it, with the sendId from the answer in place of SEND_ID:

  curl ${baseUrl}/api/v1/sends/SEND_ID

Send to bounce@, complaint@ or suppressionlist@simulator.amazonses.com to see that happen.

Keys, secrets and endpoints   ${stackFile}
Log lines of the functions    ${logFile}

Ctrl-C stops everything; emails and data are gone then.
`;
