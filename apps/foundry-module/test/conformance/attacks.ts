/** Texts that would run code in the browser of whoever sees them. */
export const texts: readonly string[] = [
  '<script>run()</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=run()>',
  '<img src=x oNeRrOr="run()">',
  '<svg onload=run()>',
  '<svg><script>run()</script></svg>',
  '<svg><animate attributeName=href values=javascript:run() /></svg>',
  '<svg><use href="data:image/svg+xml,x"/></svg>',
  '<iframe src="javascript:run()"></iframe>',
  '<iframe srcdoc="&lt;script&gt;run()&lt;/script&gt;"></iframe>',
  '<a href="javascript:run()">x</a>',
  '<a href="JaVaScRiPt:run()">x</a>',
  '<a href=" javascript:run()">x</a>',
  '<a href="java&#x09;script:run()">x</a>',
  '<a href="&#106;avascript:run()">x</a>',
  '<a href="vbscript:run()">x</a>',
  '<a href="data:text/html,<script>run()</script>">x</a>',
  '<form action="javascript:run()"><button>x</button></form>',
  '<button formaction="javascript:run()">x</button>',
  '<object data="javascript:run()"></object>',
  '<embed src="javascript:run()">',
  '<link rel=stylesheet href="//evil.example/x.css">',
  '<meta http-equiv=refresh content="0;url=javascript:run()">',
  '<base href="//evil.example/">',
  '<style>@import "//evil.example/x.css"</style>',
  '<details open ontoggle=run()>x</details>',
  '<body onload=run()>',
  '<math><mtext><img src=x onerror=run()></mtext></math>',
  '<form><math><mtext></form><form><mglyph><xmp></math><img src=x onerror=run()>',
  '<form><math><mtext></form><form><mglyph><noembed></math><img src=x onerror=run()>',
  '<template><img src=x onerror=run()></template>',
  '<noscript><p title="</noscript><img src=x onerror=run()>"></noscript>',
];

/** What of a text would run. */
export const running =
  /<(script|iframe|object|embed|link|meta|base|style|template|animate|use)\b|\son\w+\s*=|srcdoc|(java|vb)script:|data:text/i;

const png = 'data:image/png;base64,iVBORw0KGgo=';

/** Files that would run as a part of the tabletop, or lie where they should not. */
export const files: readonly { path: string; filename: string; fileData: string }[] = [
  { path: 'notes', filename: 'page.html', fileData: 'data:text/html;base64,PHNjcmlwdD4=' },
  { path: 'notes', filename: 'page.HTM', fileData: 'data:text/plain;base64,PHNjcmlwdD4=' },
  { path: 'notes', filename: 'picture.svg', fileData: 'data:image/svg+xml;base64,PHN2Zz4=' },
  { path: 'notes', filename: 'page.xml', fileData: 'data:text/xml;base64,PHg+' },
  { path: 'notes', filename: 'run.js', fileData: 'data:text/javascript;base64,cnVuKCk=' },
  { path: 'notes', filename: 'run.mjs', fileData: 'data:text/javascript;base64,cnVuKCk=' },
  { path: 'notes', filename: 'picture.png', fileData: 'data:image/png;base64,PHNjcmlwdD4=' },
  { path: 'notes', filename: 'sound.ogg', fileData: 'data:audio/ogg;base64,PHNjcmlwdD4=' },
  { path: '../systems', filename: 'picture.png', fileData: png },
  { path: 'notes', filename: '../picture.png', fileData: png },
  { path: 'notes', filename: 'program.exe', fileData: 'data:application/octet-stream;base64,TVo=' },
  { path: 'https://evil.example', filename: 'picture.png', fileData: png },
];
