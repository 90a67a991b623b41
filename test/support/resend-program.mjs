// An application as Resend's guides write it: React, and Resend's own domain to try things with. Plain JavaScript:
// React's types are no business of this project.
import { createElement as element } from 'react';
import { Resend } from 'resend';

const resend = new Resend(process.env.RESEND_API_KEY);

const Welcome = ({ name }) => element('p', null, 'Hello ', name);

const { data, error } = await resend.emails.send({
  from: 'Acme <onboarding@resend.dev>',
  to: ['delivered@resend.dev'],
  subject: 'hello world',
  react: element(Welcome, { name: 'Ann' }),
});

console.log(JSON.stringify({ data, ...(error && { error }) }));
