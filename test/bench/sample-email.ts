/** A small email as a shop sends it, text and HTML. */
export const sampleEmail = {
  to: 'ann@example.com',
  subject: 'Your receipt for order 10492',
  content: [
    'Hello Ann,',
    '',
    'thank you for your order. You paid EUR 42.00 by card; the parcel leaves today.',
    'Follow it here: https://shop.example.com/orders/10492',
    '',
    'Your example shop',
  ].join('\n'),
  htmlContent: [
    '<!doctype html><html><body style="font-family:sans-serif">',
    '<h1>Thank you, Ann</h1>',
    '<p>You paid <strong>EUR 42.00</strong> by card; the parcel leaves today.</p>',
    '<p><a href="https://shop.example.com/orders/10492">Follow it</a>, or',
    ' <a href="https://shop.example.com/help">ask us</a> anything about it.</p>',
    '<p>Your example shop</p>',
    '</body></html>',
  ].join('\n'),
} as const;
