import type { StackDescription } from './stack.ts';

/** What somebody new reads when the twin is ready. */
export const instructions = (
  { baseUrl, apiKey, inboxUrl }: StackDescription,
  {
    seconds,
    consoleUrl,
    stackFile,
    logFile,
    manage,
  }: Record<'seconds' | 'consoleUrl' | 'stackFile' | 'logFile' | 'manage', string>,
): string => `
The email service runs on this machine (ready in ${seconds} s). No email leaves it.

Send an email:

  curl -i ${baseUrl}/api/v1/emails/send \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"to": "ada@example.com", "subject": "Hello", "content": "It works."}'

See it, and follow what became of it:

  ${baseUrl}
  ${inboxUrl}   (the inbox)

Open the console. The link signs in once, within 10 minutes; ${manage} console link makes another:

  ${consoleUrl}

Send to bounce@, complaint@ or suppressionlist@simulator.amazonses.com to see that happen.

Organizations, keys, From addresses: ${manage} --help

Keys, secrets and endpoints   ${stackFile}
Log lines of the functions    ${logFile}

Ctrl-C stops everything. The organization, its keys and its data are there at the next start, the inbox is
empty then. Forget all of it with: npm start -- --fresh
`;
