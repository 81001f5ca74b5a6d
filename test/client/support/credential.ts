export const credential = { keyId: 'key_4711', secret: `${'0123456789abcdef'.repeat(3)}ABCDEFGHIJKLMNOP` };
