/** What stands in a path where an id belongs: as it goes on the wire. */
export const oddIds: readonly string[] = [
  '', 'x', 'none', '0', '-1', '1e308', 'null', 'undefined', 'true', '[]', '{}', '*', '%2a',
  // NUL and other characters that no store or log takes.
  '%00', 'a%00b', '%0d%0aset-cookie:%20a=b', '%1b%5b31m', '%7f', '%ef%bf%bf',
  // Leading out of a folder, by every encoding.
  '..', '.', '%2e', '%2e%2e', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '..%2f', '..%5c', '%252e%252e%252f', '%c0%ae%c0%ae',
  '%2f', '%2F..', '%5c', 'a%2fb', 'a%3fb=1', 'a%23b', ';', ';a=b', '%3b',
  // What cannot be decoded.
  '%', '%z', '%zz', '%a', '%c3', '%c3%28', '%ed%a0%80', '%f8%88%80%80%80',
  // Too long, and just not.
  'x'.repeat(65), 'x'.repeat(511), 'x'.repeat(512), 'x'.repeat(513), 'x'.repeat(4_000), '%78'.repeat(600),
  // What looks alike, joins or turns round.
  '%d0%b0dmin', '%ef%bc%8e%ef%bc%8e', '%e2%80%ae', '%e2%80%8b', 'e%cc%81', '%f0%9f%98%80', '%c4%b1', '%ef%ac%81',
  // Names that every object has.
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__',
  // Other languages.
  "'", '%22', "1'%20or%20'1'='1", '%3cscript%3e', '%24%7b7*7%7d', '%7b%7b7*7%7d', '$ne', '%27%3b--', '%25s%25n',
  // Other routes' names, and another shape of id.
  'sessions', 'exchange', 'status', 'style.css', 'index.html', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '0'.repeat(26), 'ZZZZ99',
]; // prettier-ignore
