// Renders an email with React Email to a folder, as its `email export` does. Plain JavaScript, run by itself: React's
// types and JSX are no business of this project.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement as element } from 'react';
import { Body, Button, Container, Head, Html, Preview, render, Text } from 'react-email';

const [folder = '.'] = process.argv.slice(2);

const passwordReset = element(
  Html,
  { lang: 'en' },
  element(Head),
  element(Preview, null, 'Reset your password, {{name}}'),
  element(
    Body,
    { style: { fontFamily: 'sans-serif' } },
    element(
      Container,
      null,
      element(Text, null, 'Hello ', '{{name}}', ', somebody asked for a new password.'),
      element(Button, { href: '{{url}}' }, 'Choose a password'),
    ),
  ),
);

writeFileSync(join(folder, 'password-reset.html'), await render(passwordReset));
