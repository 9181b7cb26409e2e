/** Where our texts stand among those of the tabletop. */
export const languagePrefix = 'TABLETOP-RELAY';

/** Every text that people read, by its key. The build writes it as `languages/en.json`; other languages come from people. */
export const english = {
  title: 'Tabletop Relay',
  'setting.menu.name': 'Connection to the relay',
  'setting.menu.label': 'Open Tabletop Relay',
  'setting.menu.hint':
    'Pairs this world, shows how it stands with the relay, and says what programs may do and what they did.',
  'key.pause.name': 'Pause all programs',
  'key.pause.hint': 'Stops every program at once, in all browsers of this world, and lets them in again.',
  'light.label': 'Relay: {state}',
  'light.asks': 'Programs ask you: {count}',
  'pause.set': 'Pause all programs',
  'pause.lift': 'Let programs in again',
  'pause.by': 'Paused by {user}.',
  'pause.failed':
    'The tabletop did not keep that, so the other browsers do not know it. Programs are stopped in this one. Try again.',
  'notice.paused': 'Programs are paused: {user} stopped them.',
  'notice.lifted': 'Programs get through to this world again.',

  'tab.connection': 'Connection',
  'tab.policy': 'May do',
  'tab.code': 'Code and files',
  'tab.activity': 'Activity',
  'tab.help': 'Help',

  'policy.text':
    'What programs may do here, whatever their keys allow at the relay. It holds in all browsers of this world. What asks you shows a question with all that would be done; who says nothing says no.',
  'policy.headless': 'The relay hosts this world: nobody sits here, so what asks is denied.',
  'policy.presets': 'Where to begin',
  'policy.changed':
    'Some of what follows differs from the preset. A press on it brings all back, and takes back what stands under “Code and files”.',
  'policy.preset.watch.title': 'Watch',
  'policy.preset.watch.text': 'Programs read, and follow what happens. They change nothing.',
  'policy.preset.play.title': 'Play',
  'policy.preset.play.text':
    'They roll, run encounters, move tokens, use sheets and talk in the chat. What deletes or rewrites asks you.',
  'policy.preset.everything.title': 'Everything but code',
  'policy.preset.everything.text': 'They do all that the tabletop’s own rules know, and ask nothing.',
  'policy.operations': 'One by one',
  'policy.level.allow': 'Allow',
  'policy.level.ask': 'Ask me',
  'policy.level.deny': 'Deny',
  'policy.level.usual': 'As above ({level})',

  'code.text':
    'Denied until you allow it here, each by itself. Scripts and macros are never allowed as a whole: you are shown each code in full, and what you approve is that one text for that one program.',
  'code.warning':
    'A script runs as you. It can do all that you can, change what you allow here too, and reach what this browser reaches.',
  'code.weigh.text': 'Allow that to every program whose key holds it?',
  'code.weigh.no': 'No, keep it denied',
  'code.weigh.ask': 'Yes, ask me each time',
  'code.weigh.allow': 'Yes, without asking',
  'code.approved.title': 'Approved code',
  'code.approved.none': 'None. What you approve in a question stands here.',
  'code.approved.one': '{program}, code {hash}, {date}',
  'code.approved.back': 'Take back',

  'activity.text':
    'The last 200 things that programs did here or were refused. It stays in this tab; the relay’s page has the whole log.',
  'activity.program': 'Program',
  'activity.all': 'All programs',
  'activity.unknown': 'A program',
  'activity.none': 'Nothing yet.',
  'activity.done': 'done in {ms} ms',
  'activity.refused': 'refused: {reason}',
  'activity.copy': 'Copy this list',

  'ask.title': 'A program asks',
  'ask.who': 'The program “{program}” asks to do this:',
  'ask.world': 'Another world, “{program}”, asks to do this:',
  'ask.as': 'As',
  'ask.master': 'the game master, with all rights',
  'ask.target': 'To',
  'ask.values': 'With',
  'ask.code': 'The code, in full',
  'ask.no': 'No',
  'ask.once': 'Allow this once',
  'ask.run': 'Run it once',
  'ask.program': 'Allow it to this program for an hour',
  'ask.always': 'Run it, now and whenever this program sends this very code',
  'ask.mute': 'No, and no question of this program for an hour',
  'ask.more': '{count} more wait.',

  'state.off.title': 'Not for this user',
  'state.off.text':
    'Only a full game master’s browser connects a world. Yours shows nothing and sends nothing.',
  'state.unpaired.title': 'Not paired',
  'state.unpaired.text':
    'Programs cannot reach this world yet. Press the button: a page of the relay opens, and you approve there. Nothing is typed.',
  'state.unpaired.action': 'Pair with the relay',
  'state.refused.title': 'Pair again',
  'state.refused.text':
    'The relay takes this browser no more: its pairing was revoked there, or belongs to another world. Pair again; keys of the world work on.',
  'state.refused.action': 'Pair again',
  'state.pairing.title': 'Waiting for your approval',
  'state.pairing.text':
    'The relay’s page is open in another tab. This goes on by itself once you have approved there.',
  'state.pairing.action': 'Give up',
  'state.pairing.blocked.text':
    'Your browser opened no tab. Open the relay’s page by the link below and approve there; this goes on by itself.',
  'state.connecting.title': 'Connecting',
  'state.connecting.text': 'Reaching {relay}.',
  'state.connecting.action': 'Try now',
  'state.connected.title': 'Connected',
  'state.connected.text':
    'Programs with a key reach this world through {relay}, as long as this tab is open.',
  'state.connected.action': 'Open the relay’s page',
  'state.paused.title': 'Paused',
  'state.paused.text':
    'Connected to {relay}, but no program gets through: the world is paused there. Lift it on the relay’s page.',
  'state.paused.action': 'Open the relay’s page',
  'state.paused-here.title': 'Paused',
  'state.paused-here.text':
    'No program gets through, in none of this world’s browsers. {user} paused it here, in the tabletop.',
  'state.paused-here.action': 'Let programs in again',
  'state.other-tab.title': 'Another tab serves',
  'state.other-tab.text':
    'Another tab of this browser has this world open and answers. Close it and this one takes over at once.',
  'state.other-tab.action': 'Test here all the same',
  'state.standby.title': 'Another browser serves',
  'state.standby.text':
    'Another browser has this world open and answers. This one waits, and takes over within a second when that one is gone.',
  'state.standby.action': 'Serve from here',
  'state.other-browser.title': 'Another browser serves',
  'state.other-browser.text':
    'Another browser has this world open and answers. This one asks every 30 seconds and takes over when that one is gone.',
  'state.other-browser.action': 'Try now',
  'state.other-module.title': 'Another module serves',
  'state.other-module.text':
    'The module “{module}” is switched on too, answers as the same world and has the line. Switch it off under Manage Modules: keys work on with this one.',
  'state.other-module.action': 'Try now',
  'state.address-refused.title': 'This address may not connect',
  'state.address-refused.text':
    'This browser’s pairing allows certain addresses only, and yours is none of them. Change that at the relay, on the page of this world.',
  'state.address-refused.action': 'Open the relay’s page',
  'state.unreachable.title': 'The relay cannot be reached',
  'state.unreachable.text':
    '{relay} does not answer (code {code}). It is tried again and again. Open its page: your browser says there whether the address, the certificate or this computer’s clock is wrong.',
  'state.unreachable.action': 'Open the relay’s page',
  'state.trouble.title': 'The relay has trouble',
  'state.trouble.text': '{reason} (code {code}). It is tried again by itself.',
  'state.trouble.action': 'Try now',
  'state.mixed.title': 'The relay’s address is not encrypted',
  'state.mixed.text':
    'A browser’s token would cross the network for anybody to read, so nothing is sent. Only a relay on this computer works without. Give the relay’s address with https:// below, and pair again.',
  'state.mixed.action': 'Change the address',
  'state.closed.title': 'Not connected',
  'state.closed.text': '{reason}',
  'state.closed.action': 'Try now',

  'problem.denied': 'The request was denied on the relay’s page. Press again if that was a mistake.',
  'problem.expired': 'Nobody approved within ten minutes. Press again.',
  'problem.unreachable':
    'The relay does not answer at that address. Open its page: your browser says there what is wrong with it.',
  'problem.not-a-relay':
    'What answers at that address is no relay, or one older than this module. Look at the address.',
  'problem.invalid': 'That is no address of a relay. It looks like https://relay.example.com.',
  'problem.rate': 'The relay asks to wait for {seconds} seconds before the next try.',
  'problem.other': 'The relay refused: {detail}',
  'problem.served-too-briefly':
    'The other browser has only just begun to serve. Press again in a few seconds.',
  'problem.not-served':
    'The relay could not change that now, and the other browser goes on serving. Press again in a few seconds.',
  'problem.not-unpaired':
    'This browser has forgotten its token, but the relay did not confirm. Revoke the browser there, on the page of this world.',

  'window.relay.label': 'Address of the relay',
  'window.relay.link': 'The relay’s page for this pairing',
  'window.unpair': 'Unpair this browser',
  'window.joins':
    'This world was paired by the module “{module}”. Pairing goes on as the same world: keys and programs work on.',
  'window.both.text':
    'The module “{module}” is switched on too. Of the two, one serves: this browser is served by {which}.',
  'window.both.ours': 'this module',
  'window.both.other': 'the other one, or none',
  'window.test.label': 'Test what works here',
  'window.test.hint':
    'Reads what programs may read, rolls one die for nobody, and writes nothing. The report has versions and results; no names, no addresses, no token.',
  'window.test.report': 'Report',
  'window.test.copy': 'Copy report',
  'window.test.copied': 'Copied',
  'window.truth.title': 'What has been tried',
  'window.truth.text':
    'The makers have tried this module with a stand-in of the tabletop only, never with the real one. Where something is wrong, the report above helps most: paste it into an issue of the project.',
  'window.trust.title': 'Whom you trust',
  'window.trust.text':
    'The relay sees what programs ask and what this world answers. Whoever runs it serves this module too, so an update from there is code that runs here as you. A program is known by a mark that the relay gives its key, never by its name, which anybody may choose.',
  'window.help.title': 'Going',
  'window.help.text':
    'Unpairing gives this browser’s token back. In the world stay its id at the relay, the relay’s address, a random mark of this installation, so that pairing again finds the same world, and what you allow programs. To remove the module, unpair, then uninstall it under Add-on Modules of the setup page; delete the world at the relay if its keys shall end too.',
  'window.version': 'Module {version}, tabletop {tabletop}, {system}',
  'notice.generation': 'Tabletop Relay needs Foundry 12 or later. This is {generation}: nothing was started.',
  'notice.newer': 'Tabletop Relay was made for Foundry 12 to 14. On {generation} it runs as on 14.',
} as const;

export type TextKey = keyof typeof english;
