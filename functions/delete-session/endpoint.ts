import { defineEndpoint } from '#shared/endpoints/endpoint';

export const endpoint = defineEndpoint({
  route: 'DELETE /console/session',
  access: 'anybody',
  answers: { 204: { description: 'You are signed out.', headers: ['Set-Cookie'] } },
  errors: ['concurrent_change'],
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'Sign out of the console',
    description: 'Ends the session and clears its cookie. Safe to repeat.',
  },
});
