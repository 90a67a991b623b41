/** Names of a sender, and how its mailbox reads. The address is that of `buildSend`. */
export const namesInQuotes = [
  ['Doe, John', '"Doe, John" <hello@mail.example.com>'],
  ['The "Shop"', '"The \\"Shop\\"" <hello@mail.example.com>'],
] as const;
