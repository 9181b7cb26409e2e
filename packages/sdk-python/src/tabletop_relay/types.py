# Generated from packages/contract/src by `pnpm docs:generate`; a test compares it.
"""Types of what a relay takes and answers. An answer may have further fields; nothing is checked when a program runs."""


from typing import Any, Literal, NotRequired, TypedDict


ErrorCode = Literal[
    "invalid_request",
    "client_required",
    "handshake_invalid",
    "url_not_allowed",
    "key_missing",
    "key_invalid",
    "key_expired",
    "session_missing",
    "session_invalid",
    "credentials_invalid",
    "second_factor_required",
    "second_factor_invalid",
    "scope_missing",
    "rotation_required",
    "second_factor_missing",
    "account_disabled",
    "paused",
    "acting_user_fixed",
    "acting_user_unchecked",
    "forbidden",
    "origin_refused",
    "registration_closed",
    "not_found",
    "client_not_found",
    "client_offline",
    "method_not_allowed",
    "conflict",
    "idempotency_running",
    "already_done",
    "outcome_unknown",
    "code_used",
    "code_expired",
    "payload_too_large",
    "unsupported_media_type",
    "expectation_failed",
    "operation_failed",
    "idempotency_key_reused",
    "rate_limited",
    "monthly_limit_reached",
    "internal",
    "client_bad_reply",
    "client_lost",
    "session_failed",
    "overloaded",
    "unavailable",
    "browser_unavailable",
    "client_timeout",
]
"""The code of a failure that the relay answers."""


Scope = Literal[
    "clients:read",
    "session:read",
    "session:manage",
    "encounter:read",
    "encounter:manage",
    "sys5e:read",
    "sys5e:write",
    "roll:execute",
    "roll:read",
    "entity:read",
    "entity:write",
    "search:read",
    "structure:read",
    "structure:write",
    "chat:read",
    "chat:write",
    "effects:read",
    "effects:write",
    "macro:read",
    "macro:execute",
    "macro:write",
    "script:execute",
    "file:read",
    "sheet:read",
    "file:write",
    "scene:read",
    "scene:write",
    "canvas:read",
    "canvas:write",
    "canvas:control",
    "playlist:read",
    "playlist:control",
    "user:read",
    "user:write",
    "world:read",
    "events:subscribe",
]
"""What a key may be allowed."""


Channel = Literal[
    "hooks",
    "combat",
    "actor",
    "scene",
    "chat",
    "rolls",
]
"""A kind of events that callers can follow."""


class ProblemErrors(TypedDict):
    field: str
    """The name as the caller wrote it; a path with dots where the fault lies deeper."""
    place: NotRequired[Literal["path", "query", "body"]]
    """Where the parameter of an operation was."""
    message: str
    """What is wrong, to be read after the name."""


class ProblemCandidates(TypedDict):
    clientId: str
    worldTitle: str
    """The world’s title; empty where the module never told it."""
    customName: NotRequired[str]
    """Its name in the dashboard, where it has one."""


class ProblemPause(TypedDict):
    of: Literal["key", "world"]
    """Which of them is paused."""
    setIn: Literal["relay", "tabletop"]
    """Where it was set, and where alone it is lifted: in the relay, or in the tabletop."""
    since: str
    """Since when."""


class Problem(TypedDict):
    """A failure as the relay answers it (RFC 9457); some codes add fields."""

    type: str
    """The page that explains the code."""
    title: str
    """The code in words; the same for each problem of the code."""
    status: int
    """The HTTP status."""
    detail: str
    """What happened and what to do."""
    code: Literal["invalid_request", "client_required", "handshake_invalid", "url_not_allowed", "key_missing", "key_invalid", "key_expired", "session_missing", "session_invalid", "credentials_invalid", "second_factor_required", "second_factor_invalid", "scope_missing", "rotation_required", "second_factor_missing", "account_disabled", "paused", "acting_user_fixed", "acting_user_unchecked", "forbidden", "origin_refused", "registration_closed", "not_found", "client_not_found", "client_offline", "method_not_allowed", "conflict", "idempotency_running", "already_done", "outcome_unknown", "code_used", "code_expired", "payload_too_large", "unsupported_media_type", "expectation_failed", "operation_failed", "idempotency_key_reused", "rate_limited", "monthly_limit_reached", "internal", "client_bad_reply", "client_lost", "session_failed", "overloaded", "unavailable", "browser_unavailable", "client_timeout"]
    """What to decide by."""
    retryable: bool
    """Whether the same call may be repeated."""
    outcome: NotRequired[Literal["not_sent", "unknown"]]
    """Whether a failed command reached the world."""
    errors: NotRequired[list[ProblemErrors]]
    """Each field that is wrong, where the code is `invalid_request`."""
    candidates: NotRequired[list[ProblemCandidates]]
    """The worlds that are online and that the key may reach, where the code is `client_required`. Put the `clientId` of one into the call."""
    scope: NotRequired[str]
    """The scope that is needed, where the code is `scope_missing`."""
    reason: NotRequired[str]
    """The world’s own code, for example `entity_not_found`, where the code is `operation_failed`."""
    lastSeen: NotRequired[int]
    """When the world was last connected, in epoch milliseconds (0: never), where the code is `client_offline`."""
    clientId: NotRequired[str]
    """The world that stands in the way, where a session meets a `conflict`."""
    sessionId: NotRequired[str]
    """The headless session, where one failed or stands in the way."""
    stage: NotRequired[str]
    """How far the session came, where the code is `session_failed`."""
    pause: NotRequired[ProblemPause]
    """What stands in the way, where the code is `paused`."""
    actingUserId: NotRequired[str]
    """The user as whom the key acts, where the code is `acting_user_fixed`."""
    success: NotRequired[Literal[False]]
    """Where the code is `operation_failed`, for programs that look for `success`."""
    methods: NotRequired[list[str]]
    """What may answer `second_factor_required`: `totp`, `passkey`, `recovery`."""
    challenge: NotRequired[str]
    """Goes back in `secondFactor`. It works once, for five minutes."""
    challengeExpiresAt: NotRequired[str]
    """When the challenge ends."""
    passkeyOptions: NotRequired[dict[str, Any]]
    """`PublicKeyCredentialRequestOptionsJSON`, where `passkey` is among the methods."""
    traceId: str
    """The request’s id, also in the x-request-id header."""
    requestId: NotRequired[str]
    """The operation’s id, once it has one."""
    error: str
    """Repeats `detail`, for programs that read `error`. Of a missing and of an unknown scope it has the words that programs look for."""


class ClientListClients(TypedDict):
    clientId: str
    instanceId: str
    """The relay instance that holds the connection, or held the last one; empty: never connected."""
    lastSeen: int
    """Epoch milliseconds; 0: never connected."""
    connectedSince: int
    """Epoch milliseconds; 0: never connected."""
    worldId: str
    """The tabletop’s id of the world; compared with what was paired."""
    worldTitle: str
    """The world’s title."""
    tabletopVersion: str
    """The tabletop’s version; read from `foundryVersion` too."""
    systemId: str
    """The game system’s id; compared with what was paired."""
    systemTitle: str
    """The game system’s title."""
    systemVersion: str
    """The game system’s version."""
    foundryVersion: str
    """Repeats `tabletopVersion`, for programs that read it so."""
    customName: NotRequired[str]
    """The dashboard’s name, else the module’s. Present only when set."""
    ipAddress: str
    """Address and port of the connection; empty: never connected."""
    tokenName: str
    """Name of the connection token; empty: never connected."""
    isOnline: bool
    standbys: int
    """How many further browsers wait to serve the world when this one goes: 5 at most."""


class ClientList(TypedDict):
    """The worlds that a key may see."""

    clients: list[ClientListClients]
    total: int


class StreamTicket(TypedDict):
    """Opens one stream in place of a key."""

    ticket: str
    url: str
    """The address to open, with the ticket in it."""
    expiresIn: int
    """Seconds in which it must be opened."""


class ConnectedData(TypedDict):
    clientId: str
    channel: str
    recovered: bool


class ConnectedEvent(TypedDict):
    """The first event. `recovered`: nothing is missing since the `Last-Event-ID` that was sent. False: read the state anew, because events since then are lost, or no id was sent."""

    event: Literal["connected"]
    id: str | None
    """What a later stream continues after."""
    data: ConnectedData


class GapData(TypedDict):
    clientId: str
    channel: str
    dropped: NotRequired[float | None]


class GapEvent(TypedDict):
    """Events are missing here: this listener was too slow, or the relay lost them. `dropped` is absent where it cannot count them. Read the state anew."""

    event: Literal["gap"]
    id: str | None
    """What a later stream continues after."""
    data: GapData


class PausedData(TypedDict):
    clientId: str
    channel: str
    of: str
    setIn: str
    since: str


class PausedEvent(TypedDict):
    """The key or the world was paused: `of` says which, `setIn` where. The stream stays open and is silent until `resumed`."""

    event: Literal["paused"]
    id: str | None
    """What a later stream continues after."""
    data: PausedData


class ResumedData(TypedDict):
    clientId: str
    channel: str


class ResumedEvent(TypedDict):
    """No pause stands in the way any more. A `gap` follows: what happened meanwhile is not delivered, by no `Last-Event-ID` either."""

    event: Literal["resumed"]
    id: str | None
    """What a later stream continues after."""
    data: ResumedData


class ClientOfflineData(TypedDict):
    clientId: str
    channel: str
    timestamp: float


class ClientOfflineEvent(TypedDict):
    """The world disconnected. The stream stays open. What the world sent just before may be lost."""

    event: Literal["client-offline"]
    id: str | None
    """What a later stream continues after."""
    data: ClientOfflineData


class ClientOnlineData(TypedDict):
    clientId: str
    channel: str
    timestamp: float


class ClientOnlineEvent(TypedDict):
    """The world is connected again."""

    event: Literal["client-online"]
    id: str | None
    """What a later stream continues after."""
    data: ClientOnlineData


RelayEvent = ConnectedEvent | GapEvent | PausedEvent | ResumedEvent | ClientOfflineEvent | ClientOnlineEvent
"""An event that the relay itself sends on any stream."""


class HooksData(TypedDict):
    hook: str
    args: list[Any]
    clientId: str
    channel: Literal["hooks"]
    timestamp: float


class HooksWorldEvent(TypedDict):
    """An event of a world: follow the tabletop’s hooks."""

    event: str
    id: str | None
    """What a later stream continues after."""
    data: HooksData


HooksEvent = RelayEvent | HooksWorldEvent
"""Any event of the stream `hooks`; `event` tells which."""


class CombatData(TypedDict):
    eventType: str
    encounterId: str
    round: NotRequired[float | None]
    turn: NotRequired[float | None]
    clientId: str
    channel: Literal["combat"]
    timestamp: float


class CombatWorldEvent(TypedDict):
    """An event of a world: follow combat encounters."""

    event: Literal["combat-start", "combat-turn", "combat-round", "combat-update", "combat-combatant-add", "combat-combatant-remove", "combat-end"]
    id: str | None
    """What a later stream continues after."""
    data: CombatData


CombatEvent = RelayEvent | CombatWorldEvent
"""Any event of the stream `combat`; `event` tells which."""


class ActorData(TypedDict):
    eventType: str
    actorUuid: str
    changes: NotRequired[dict[str, Any] | None]
    clientId: str
    channel: Literal["actor"]
    timestamp: float


class ActorWorldEvent(TypedDict):
    """An event of a world: follow one actor, or all of them."""

    event: Literal["actor-update", "actor-item-add", "actor-item-update", "actor-item-remove", "actor-effect-add", "actor-effect-remove"]
    id: str | None
    """What a later stream continues after."""
    data: ActorData


ActorEvent = RelayEvent | ActorWorldEvent
"""Any event of the stream `actor`; `event` tells which."""


class SceneData(TypedDict):
    eventType: str
    sceneId: str
    changes: NotRequired[dict[str, Any] | None]
    clientId: str
    channel: Literal["scene"]
    timestamp: float


class SceneWorldEvent(TypedDict):
    """An event of a world: follow scenes and what stands on them."""

    event: Literal["scene-scene-activate", "scene-token-create", "scene-token-update", "scene-token-delete", "scene-light-create", "scene-light-update", "scene-light-delete", "scene-wall-create", "scene-wall-update", "scene-wall-delete"]
    id: str | None
    """What a later stream continues after."""
    data: SceneData


SceneEvent = RelayEvent | SceneWorldEvent
"""Any event of the stream `scene`; `event` tells which."""


class ChatData(TypedDict):
    eventType: str
    data: dict[str, Any]
    clientId: str
    channel: Literal["chat"]
    timestamp: float


class ChatWorldEvent(TypedDict):
    """An event of a world: follow the chat."""

    event: Literal["chat-create", "chat-update", "chat-delete"]
    id: str | None
    """What a later stream continues after."""
    data: ChatData


ChatEvent = RelayEvent | ChatWorldEvent
"""Any event of the stream `chat`; `event` tells which."""


class RollsData(TypedDict):
    id: str
    formula: str
    rollTotal: float
    user: NotRequired[dict[str, Any] | None]
    speaker: NotRequired[dict[str, Any] | None]
    flavor: NotRequired[str | None]
    isCritical: NotRequired[bool | None]
    isFumble: NotRequired[bool | None]
    dice: NotRequired[list[Any] | None]
    clientId: str
    channel: Literal["rolls"]
    timestamp: float


class RollsWorldEvent(TypedDict):
    """An event of a world: follow the dice."""

    event: Literal["roll"]
    id: str | None
    """What a later stream continues after."""
    data: RollsData


RollsEvent = RelayEvent | RollsWorldEvent
"""Any event of the stream `rolls`; `event` tells which."""


class EncountersAnswerEncountersCombatants(TypedDict):
    id: str
    name: str
    tokenUuid: NotRequired[str]
    """Absent where there is no token any more."""
    actorUuid: NotRequired[str]
    """Absent where there is no actor any more."""
    img: str | None
    initiative: float | None
    """Null until it is rolled."""
    hidden: bool
    defeated: bool


class EncountersAnswerEncounters(TypedDict):
    id: str
    name: NotRequired[str]
    round: int
    """1 after the start; 0 before it."""
    turn: int | None
    """Index into the turn order, which is by initiative; 0 after the start, null in round 0."""
    current: bool
    combatants: list[EncountersAnswerEncountersCombatants]
    """In the order in which they joined; the turn order is by initiative."""


class EncountersAnswer(TypedDict):
    """What a world answers to `encounters`."""

    type: Literal["encounters-result"]
    requestId: str
    encounters: list[EncountersAnswerEncounters]


class StartEncounterAnswerEncounterCombatants(TypedDict):
    id: str
    name: str
    tokenUuid: NotRequired[str]
    """Absent where there is no token any more."""
    actorUuid: NotRequired[str]
    """Absent where there is no actor any more."""
    img: str | None
    initiative: float | None
    """Null until it is rolled."""
    hidden: bool
    defeated: bool


class StartEncounterAnswerEncounter(TypedDict):
    id: str
    name: NotRequired[str]
    round: int
    """1 after the start; 0 before it."""
    turn: int | None
    """Index into the turn order, which is by initiative; 0 after the start, null in round 0."""
    combatants: list[StartEncounterAnswerEncounterCombatants]
    """In the order in which they joined; the turn order is by initiative."""


class StartEncounterAnswer(TypedDict):
    """What a world answers to `start-encounter`."""

    type: Literal["start-encounter-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    encounter: StartEncounterAnswerEncounter


class EndEncounterAnswer(TypedDict):
    """What a world answers to `end-encounter`."""

    type: Literal["end-encounter-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    message: str


class NextTurnAnswerEncounter(TypedDict):
    id: str
    name: NotRequired[str]
    round: int
    """1 after the start; 0 before it."""
    turn: int | None
    """Index into the turn order, which is by initiative; 0 after the start, null in round 0."""


class NextTurnAnswer(TypedDict):
    """What a world answers to `next-turn`."""

    type: Literal["next-turn-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    action: Literal["nextTurn"]
    currentTurn: int | None
    """Null in round 0."""
    currentRound: int
    actorTurn: NotRequired[str]
    """UUID of the actor whose turn it is; absent without combatants."""
    tokenTurn: NotRequired[str]
    """UUID of that actor’s token."""
    encounter: NextTurnAnswerEncounter


class NextRoundAnswerEncounter(TypedDict):
    id: str
    name: NotRequired[str]
    round: int
    """1 after the start; 0 before it."""
    turn: int | None
    """Index into the turn order, which is by initiative; 0 after the start, null in round 0."""


class NextRoundAnswer(TypedDict):
    """What a world answers to `next-round`."""

    type: Literal["next-round-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    action: Literal["nextRound"]
    currentTurn: int | None
    """Null in round 0."""
    currentRound: int
    actorTurn: NotRequired[str]
    """UUID of the actor whose turn it is; absent without combatants."""
    tokenTurn: NotRequired[str]
    """UUID of that actor’s token."""
    encounter: NextRoundAnswerEncounter


class LastTurnAnswerEncounter(TypedDict):
    id: str
    name: NotRequired[str]
    round: int
    """1 after the start; 0 before it."""
    turn: int | None
    """Index into the turn order, which is by initiative; 0 after the start, null in round 0."""


class LastTurnAnswer(TypedDict):
    """What a world answers to `last-turn`."""

    type: Literal["last-turn-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    action: Literal["previousTurn"]
    currentTurn: int | None
    """Null in round 0."""
    currentRound: int
    actorTurn: NotRequired[str]
    """UUID of the actor whose turn it is; absent without combatants."""
    tokenTurn: NotRequired[str]
    """UUID of that actor’s token."""
    encounter: LastTurnAnswerEncounter


class LastRoundAnswerEncounter(TypedDict):
    id: str
    name: NotRequired[str]
    round: int
    """1 after the start; 0 before it."""
    turn: int | None
    """Index into the turn order, which is by initiative; 0 after the start, null in round 0."""


class LastRoundAnswer(TypedDict):
    """What a world answers to `last-round`."""

    type: Literal["last-round-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    action: Literal["previousRound"]
    currentTurn: int | None
    """Null in round 0."""
    currentRound: int
    actorTurn: NotRequired[str]
    """UUID of the actor whose turn it is; absent without combatants."""
    tokenTurn: NotRequired[str]
    """UUID of that actor’s token."""
    encounter: LastRoundAnswerEncounter


class AddToEncounterAnswerFailed(TypedDict):
    uuid: str
    reason: str


class AddToEncounterAnswer(TypedDict):
    """What a world answers to `add-to-encounter`."""

    type: Literal["add-to-encounter-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    added: list[str]
    """Token UUIDs that were added."""
    failed: list[AddToEncounterAnswerFailed]
    """Tokens that could not be processed, and why."""


class RemoveFromEncounterAnswerFailed(TypedDict):
    uuid: str
    reason: str


class RemoveFromEncounterAnswer(TypedDict):
    """What a world answers to `remove-from-encounter`."""

    type: Literal["remove-from-encounter-result"]
    requestId: str
    encounterId: str
    """Id of the encounter."""
    removed: list[str]
    """Token UUIDs that were removed."""
    failed: list[RemoveFromEncounterAnswerFailed]
    """Tokens that could not be processed, and why."""


class GetActorDetailsAnswerDataResourcesPrimary(TypedDict):
    value: float | None
    max: float | None
    sr: bool
    """Whether a short rest restores it."""
    lr: bool
    """Whether a long rest restores it."""
    label: str


class GetActorDetailsAnswerDataResourcesSecondary(TypedDict):
    value: float | None
    max: float | None
    sr: bool
    """Whether a short rest restores it."""
    lr: bool
    """Whether a long rest restores it."""
    label: str


class GetActorDetailsAnswerDataResourcesTertiary(TypedDict):
    value: float | None
    max: float | None
    sr: bool
    """Whether a short rest restores it."""
    lr: bool
    """Whether a long rest restores it."""
    label: str


class GetActorDetailsAnswerDataResources(TypedDict):
    primary: NotRequired[GetActorDetailsAnswerDataResourcesPrimary]
    secondary: NotRequired[GetActorDetailsAnswerDataResourcesSecondary]
    tertiary: NotRequired[GetActorDetailsAnswerDataResourcesTertiary]
    legact: NotRequired[dict[str, Any]]
    """Legendary actions of a monster."""
    legres: NotRequired[dict[str, Any]]
    """Legendary resistances of a monster."""
    lair: NotRequired[dict[str, Any]]
    """Its lair actions."""


class GetActorDetailsAnswerDataSpells(TypedDict):
    _id: str
    name: str
    type: str
    img: str
    system: dict[str, Any]
    """The rules system’s data."""
    effects: list[Any]
    folder: str | None
    sort: float
    ownership: dict[str, float]
    """Permission level by user id."""
    flags: dict[str, Any]
    """What modules store on it."""
    _stats: dict[str, Any]
    """Where it came from and when it changed."""


class GetActorDetailsAnswerDataItems(TypedDict):
    _id: str
    name: str
    type: str
    img: str
    system: dict[str, Any]
    """The rules system’s data."""
    effects: list[Any]
    folder: str | None
    sort: float
    ownership: dict[str, float]
    """Permission level by user id."""
    flags: dict[str, Any]
    """What modules store on it."""
    _stats: dict[str, Any]
    """Where it came from and when it changed."""


class GetActorDetailsAnswerDataFeatures(TypedDict):
    _id: str
    name: str
    type: str
    img: str
    system: dict[str, Any]
    """The rules system’s data."""
    effects: list[Any]
    folder: str | None
    sort: float
    ownership: dict[str, float]
    """Permission level by user id."""
    flags: dict[str, Any]
    """What modules store on it."""
    _stats: dict[str, Any]
    """Where it came from and when it changed."""


class GetActorDetailsAnswerDataStatsHp(TypedDict):
    value: NotRequired[float | None]
    max: NotRequired[float | None]
    temp: NotRequired[float | None]


class GetActorDetailsAnswerDataStatsDeathSaves(TypedDict):
    success: NotRequired[float | None]
    failure: NotRequired[float | None]


class GetActorDetailsAnswerDataStatsEncumbrance(TypedDict):
    value: NotRequired[float | None]
    max: NotRequired[float | None]


class GetActorDetailsAnswerDataStats(TypedDict):
    name: NotRequired[str]
    img: NotRequired[str | None]
    uuid: NotRequired[str]
    level: NotRequired[float | None]
    profBonus: NotRequired[float | None]
    ac: NotRequired[float | None]
    """Armour class."""
    hp: NotRequired[GetActorDetailsAnswerDataStatsHp | None]
    speed: NotRequired[Any]
    """Of walking; a number, mostly feet."""
    exhaustion: NotRequired[float | None]
    inspiration: NotRequired[bool | None]
    initBonus: NotRequired[float | None]
    deathSaves: NotRequired[GetActorDetailsAnswerDataStatsDeathSaves | None]
    encumbrance: NotRequired[GetActorDetailsAnswerDataStatsEncumbrance | None]
    currency: NotRequired[dict[str, Any] | None]


class GetActorDetailsAnswerDataConcentration(TypedDict):
    active: bool
    name: NotRequired[str]
    """Of the spell."""


class GetActorDetailsAnswerData(TypedDict):
    uuid: str
    resources: NotRequired[GetActorDetailsAnswerDataResources]
    """Characters have the first three; monsters what the rules system gives them."""
    spells: NotRequired[list[GetActorDetailsAnswerDataSpells]]
    spellSlots: NotRequired[dict[str, Any]]
    """With `spells`: `value` and `max` by level, `spell1` to `spell9`, and `pact`."""
    items: NotRequired[list[GetActorDetailsAnswerDataItems]]
    features: NotRequired[list[GetActorDetailsAnswerDataFeatures]]
    stats: NotRequired[GetActorDetailsAnswerDataStats]
    """Each may be missing: monsters lack some."""
    abilities: NotRequired[dict[str, Any]]
    """By abbreviation (`str`, `dex`, ...): `value`, `mod`, `save`, `proficient`."""
    skills: NotRequired[dict[str, Any]]
    """By abbreviation (`acr`, `ani`, ...): `ability`, `total`, `mod`, `value`, `passive`."""
    details: NotRequired[dict[str, Any]]
    """Race, background, class, alignment, biography and the like."""
    conditions: NotRequired[list[Any]]
    concentration: NotRequired[GetActorDetailsAnswerDataConcentration]
    """With `conditions`."""


class GetActorDetailsAnswer(TypedDict):
    """What a world answers to `get-actor-details`."""

    type: Literal["get-actor-details-result"]
    requestId: str
    data: GetActorDetailsAnswerData


class ModifyExperienceAnswerData(TypedDict):
    actorUuid: str
    oldXp: float
    newXp: float


class ModifyExperienceAnswer(TypedDict):
    """What a world answers to `modify-experience`."""

    type: Literal["modify-experience-result"]
    requestId: str
    data: ModifyExperienceAnswerData


class SkillCheckAnswerData(TypedDict):
    actorUuid: str
    skill: str
    total: NotRequired[float]
    """What was rolled, all bonuses included. Absent where the rules system rolled nothing."""
    formula: NotRequired[str]
    """The formula, for example `1d20 + 5`."""
    result: NotRequired[str]
    """The evaluated terms, for example `14 + 5`."""


class SkillCheckAnswer(TypedDict):
    """What a world answers to `skill-check`."""

    type: Literal["skill-check-result"]
    requestId: str
    data: SkillCheckAnswerData


class AbilitySaveAnswerData(TypedDict):
    actorUuid: str
    ability: str
    total: NotRequired[float]
    """What was rolled, all bonuses included. Absent where the rules system rolled nothing."""
    formula: NotRequired[str]
    """The formula, for example `1d20 + 5`."""
    result: NotRequired[str]
    """The evaluated terms, for example `14 + 5`."""


class AbilitySaveAnswer(TypedDict):
    """What a world answers to `ability-save`."""

    type: Literal["ability-save-result"]
    requestId: str
    data: AbilitySaveAnswerData


class AbilityCheckAnswerData(TypedDict):
    actorUuid: str
    ability: str
    total: NotRequired[float]
    """What was rolled, all bonuses included. Absent where the rules system rolled nothing."""
    formula: NotRequired[str]
    """The formula, for example `1d20 + 5`."""
    result: NotRequired[str]
    """The evaluated terms, for example `14 + 5`."""


class AbilityCheckAnswer(TypedDict):
    """What a world answers to `ability-check`."""

    type: Literal["ability-check-result"]
    requestId: str
    data: AbilityCheckAnswerData


class DeathSaveAnswerDataDeathSaves(TypedDict):
    success: float
    failure: float


class DeathSaveAnswerData(TypedDict):
    actorUuid: str
    total: NotRequired[float]
    """What was rolled, all bonuses included. Absent where the rules system rolled nothing."""
    formula: NotRequired[str]
    """The formula, for example `1d20 + 5`."""
    result: NotRequired[str]
    """The evaluated terms, for example `14 + 5`."""
    deathSaves: DeathSaveAnswerDataDeathSaves
    stable: NotRequired[Literal[True]]
    """The third success: the actor is stable, its counts are 0."""
    healed: NotRequired[Literal[True]]
    """A natural 20: it has a hit point, its counts are 0."""


class DeathSaveAnswer(TypedDict):
    """What a world answers to `death-save`."""

    type: Literal["death-save-result"]
    requestId: str
    data: DeathSaveAnswerData


class GetConcentrationAnswerDataEffect(TypedDict):
    id: str
    uuid: str
    name: str
    icon: str
    statuses: list[str]
    origin: str | None
    """UUID of what caused it."""


class GetConcentrationAnswerData(TypedDict):
    actorUuid: str
    isConcentrating: bool
    effect: GetConcentrationAnswerDataEffect | None
    spell: str | None
    """Name of the spell."""


class GetConcentrationAnswer(TypedDict):
    """What a world answers to `get-concentration`."""

    type: Literal["get-concentration-result"]
    requestId: str
    data: GetConcentrationAnswerData


class BreakConcentrationAnswerData(TypedDict):
    actorUuid: str
    broken: bool
    """False when the actor did not concentrate."""
    removedEffectId: NotRequired[str]
    """Absent when nothing was removed."""


class BreakConcentrationAnswer(TypedDict):
    """What a world answers to `break-concentration`."""

    type: Literal["break-concentration-result"]
    requestId: str
    data: BreakConcentrationAnswerData


class ConcentrationSaveAnswerData(TypedDict):
    actorUuid: str
    dc: float
    total: NotRequired[float]
    """What was rolled, all bonuses included. Absent where the rules system rolled nothing."""
    formula: NotRequired[str]
    """The formula, for example `1d20 + 5`."""
    result: NotRequired[str]
    """The evaluated terms, for example `14 + 5`."""
    isConcentrating: NotRequired[bool]
    """Whether there was something to keep. False: only the save was rolled."""
    maintained: bool
    """Whether concentration is kept."""


class ConcentrationSaveAnswer(TypedDict):
    """What a world answers to `concentration-save`."""

    type: Literal["concentration-save-result"]
    requestId: str
    data: ConcentrationSaveAnswerData


class ShortRestAnswerDataResult(TypedDict):
    completed: Literal[True]


class ShortRestAnswerDataResult2Deltas(TypedDict):
    hitPoints: NotRequired[float]
    hitDice: NotRequired[float]


class ShortRestAnswerDataResult2(TypedDict):
    type: Literal["short"]
    deltas: ShortRestAnswerDataResult2Deltas
    updateData: dict[str, Any]
    """What changed on the actor, by flat document path, with its `_id`."""
    updateItems: list[Any]
    newDay: bool
    rolls: list[Any]
    """The hit dice that were rolled."""
    clone: dict[str, Any]
    """The actor as it was before the rest."""
    dhd: NotRequired[float]
    """Change in hit dice."""
    dhp: NotRequired[float]
    """Change in hit points."""
    longRest: NotRequired[bool]


class ShortRestAnswerData(TypedDict):
    actorUuid: str
    result: ShortRestAnswerDataResult | ShortRestAnswerDataResult2


class ShortRestAnswer(TypedDict):
    """What a world answers to `short-rest`."""

    type: Literal["short-rest-result"]
    requestId: str
    data: ShortRestAnswerData


class LongRestAnswerDataResult(TypedDict):
    completed: Literal[True]


class LongRestAnswerDataResult2Deltas(TypedDict):
    hitPoints: NotRequired[float]
    hitDice: NotRequired[float]


class LongRestAnswerDataResult2(TypedDict):
    type: Literal["long"]
    deltas: LongRestAnswerDataResult2Deltas
    updateData: dict[str, Any]
    """What changed on the actor, by flat document path, with its `_id`."""
    updateItems: list[Any]
    newDay: bool
    rolls: list[Any]
    """The hit dice that were rolled."""
    clone: dict[str, Any]
    """The actor as it was before the rest."""
    dhd: NotRequired[float]
    """Change in hit dice."""
    dhp: NotRequired[float]
    """Change in hit points."""
    longRest: NotRequired[bool]


class LongRestAnswerData(TypedDict):
    actorUuid: str
    result: LongRestAnswerDataResult | LongRestAnswerDataResult2


class LongRestAnswer(TypedDict):
    """What a world answers to `long-rest`."""

    type: Literal["long-rest-result"]
    requestId: str
    data: LongRestAnswerData


class ModifyItemChargesAnswerData(TypedDict):
    itemUuid: str
    oldCharges: float
    newCharges: float


class ModifyItemChargesAnswer(TypedDict):
    """What a world answers to `modify-item-charges`."""

    type: Literal["modify-item-charges-result"]
    requestId: str
    data: ModifyItemChargesAnswerData


class EquipItemAnswerData(TypedDict):
    actorUuid: str
    itemUuid: str
    itemName: str
    equipped: bool


class EquipItemAnswer(TypedDict):
    """What a world answers to `equip-item`."""

    type: Literal["equip-item-result"]
    requestId: str
    data: EquipItemAnswerData


class AttuneItemAnswerData(TypedDict):
    actorUuid: str
    itemUuid: str
    itemName: str
    attuned: bool


class AttuneItemAnswer(TypedDict):
    """What a world answers to `attune-item`."""

    type: Literal["attune-item-result"]
    requestId: str
    data: AttuneItemAnswerData


class TransferCurrencyCurrency(TypedDict):
    pp: NotRequired[int]
    gp: NotRequired[int]
    ep: NotRequired[int]
    sp: NotRequired[int]
    cp: NotRequired[int]


class TransferCurrencyAnswerDataTransferred(TypedDict):
    pp: NotRequired[float]
    gp: NotRequired[float]
    ep: NotRequired[float]
    sp: NotRequired[float]
    cp: NotRequired[float]


class TransferCurrencyAnswerDataSourceBalance(TypedDict):
    pp: float
    gp: float
    ep: float
    sp: float
    cp: float


class TransferCurrencyAnswerDataTargetBalance(TypedDict):
    pp: float
    gp: float
    ep: float
    sp: float
    cp: float


class TransferCurrencyAnswerData(TypedDict):
    sourceActorUuid: str
    targetActorUuid: str
    transferred: TransferCurrencyAnswerDataTransferred
    sourceBalance: TransferCurrencyAnswerDataSourceBalance
    targetBalance: TransferCurrencyAnswerDataTargetBalance


class TransferCurrencyAnswer(TypedDict):
    """What a world answers to `transfer-currency`."""

    type: Literal["transfer-currency-result"]
    requestId: str
    data: TransferCurrencyAnswerData


class ModifyCurrencyAnswerData(TypedDict):
    currency: str
    previous: float
    current: float
    delta: float


class ModifyCurrencyAnswer(TypedDict):
    """What a world answers to `modify-currency`."""

    type: Literal["modify-currency-result"]
    requestId: str
    data: ModifyCurrencyAnswerData


class PrepareSpellAnswerData(TypedDict):
    spellName: str
    prepared: bool
    uuid: str
    """UUID of the actor or of the spell, by the module."""


class PrepareSpellAnswer(TypedDict):
    """What a world answers to `prepare-spell`."""

    type: Literal["prepare-spell-result"]
    requestId: str
    data: PrepareSpellAnswerData


class UseAbilityAnswerDataRollDiceResults(TypedDict):
    result: float
    active: bool
    """Whether it counts: of two dice with advantage one does."""


class UseAbilityAnswerDataRollDice(TypedDict):
    faces: int
    results: list[UseAbilityAnswerDataRollDiceResults]


class UseAbilityAnswerDataRoll(TypedDict):
    total: float
    formula: str
    isCritical: bool
    isFumble: bool
    dice: list[UseAbilityAnswerDataRollDice]


class UseAbilityAnswerDataDamageRolls(TypedDict):
    total: float
    formula: str
    type: str
    """The kind of damage."""
    isCritical: bool
    dice: list[Any]


class UseAbilityAnswerData(TypedDict):
    uuid: str
    """UUID of the actor."""
    ability: str
    """Name of what was used."""
    result: NotRequired[str | None]
    """Id of what it brought about, for example a chat message. Today’s modules leave it out."""
    roll: NotRequired[UseAbilityAnswerDataRoll]
    """The roll to hit, where there is one."""
    damageRolls: NotRequired[list[UseAbilityAnswerDataDamageRolls]]
    """Where the world knows the damage at once."""


class UseAbilityAnswer(TypedDict):
    """What a world answers to `use-ability`."""

    type: Literal["use-ability-result"]
    requestId: str
    data: UseAbilityAnswerData


class UseFeatureAnswerDataRollDiceResults(TypedDict):
    result: float
    active: bool
    """Whether it counts: of two dice with advantage one does."""


class UseFeatureAnswerDataRollDice(TypedDict):
    faces: int
    results: list[UseFeatureAnswerDataRollDiceResults]


class UseFeatureAnswerDataRoll(TypedDict):
    total: float
    formula: str
    isCritical: bool
    isFumble: bool
    dice: list[UseFeatureAnswerDataRollDice]


class UseFeatureAnswerDataDamageRolls(TypedDict):
    total: float
    formula: str
    type: str
    """The kind of damage."""
    isCritical: bool
    dice: list[Any]


class UseFeatureAnswerData(TypedDict):
    uuid: str
    """UUID of the actor."""
    ability: str
    """Name of what was used."""
    result: NotRequired[str | None]
    """Id of what it brought about, for example a chat message. Today’s modules leave it out."""
    roll: NotRequired[UseFeatureAnswerDataRoll]
    """The roll to hit, where there is one."""
    damageRolls: NotRequired[list[UseFeatureAnswerDataDamageRolls]]
    """Where the world knows the damage at once."""


class UseFeatureAnswer(TypedDict):
    """What a world answers to `use-feature`."""

    type: Literal["use-feature-result"]
    requestId: str
    data: UseFeatureAnswerData


class UseSpellAnswerDataRollDiceResults(TypedDict):
    result: float
    active: bool
    """Whether it counts: of two dice with advantage one does."""


class UseSpellAnswerDataRollDice(TypedDict):
    faces: int
    results: list[UseSpellAnswerDataRollDiceResults]


class UseSpellAnswerDataRoll(TypedDict):
    total: float
    formula: str
    isCritical: bool
    isFumble: bool
    dice: list[UseSpellAnswerDataRollDice]


class UseSpellAnswerDataDamageRolls(TypedDict):
    total: float
    formula: str
    type: str
    """The kind of damage."""
    isCritical: bool
    dice: list[Any]


class UseSpellAnswerData(TypedDict):
    uuid: str
    """UUID of the actor."""
    ability: str
    """Name of what was used."""
    result: NotRequired[str | None]
    """Id of what it brought about, for example a chat message. Today’s modules leave it out."""
    roll: NotRequired[UseSpellAnswerDataRoll]
    """The roll to hit, where there is one."""
    damageRolls: NotRequired[list[UseSpellAnswerDataDamageRolls]]
    """Where the world knows the damage at once."""


class UseSpellAnswer(TypedDict):
    """What a world answers to `use-spell`."""

    type: Literal["use-spell-result"]
    requestId: str
    data: UseSpellAnswerData


class UseItemAnswerDataRollDiceResults(TypedDict):
    result: float
    active: bool
    """Whether it counts: of two dice with advantage one does."""


class UseItemAnswerDataRollDice(TypedDict):
    faces: int
    results: list[UseItemAnswerDataRollDiceResults]


class UseItemAnswerDataRoll(TypedDict):
    total: float
    formula: str
    isCritical: bool
    isFumble: bool
    dice: list[UseItemAnswerDataRollDice]


class UseItemAnswerDataDamageRolls(TypedDict):
    total: float
    formula: str
    type: str
    """The kind of damage."""
    isCritical: bool
    dice: list[Any]


class UseItemAnswerData(TypedDict):
    uuid: str
    """UUID of the actor."""
    ability: str
    """Name of what was used."""
    result: NotRequired[str | None]
    """Id of what it brought about, for example a chat message. Today’s modules leave it out."""
    roll: NotRequired[UseItemAnswerDataRoll]
    """The roll to hit, where there is one."""
    damageRolls: NotRequired[list[UseItemAnswerDataDamageRolls]]
    """Where the world knows the damage at once."""


class UseItemAnswer(TypedDict):
    """What a world answers to `use-item`."""

    type: Literal["use-item-result"]
    requestId: str
    data: UseItemAnswerData


class SelectAnswer(TypedDict):
    """What a world answers to `select`."""

    type: Literal["select-result"]
    requestId: str
    success: bool
    count: int
    """How many tokens are selected."""
    message: str
    selected: list[str]
    """Token UUIDs."""


class SelectedAnswerSelected(TypedDict):
    tokenUuid: str
    actorUuid: str | None
    """Null where the token has no actor."""


class SelectedAnswer(TypedDict):
    """What a world answers to `selected`."""

    type: Literal["selected-result"]
    requestId: str
    success: bool
    selected: list[SelectedAnswerSelected]


class PlayersAnswerUsers(TypedDict):
    id: str
    name: str
    role: int
    """0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM."""
    isGM: bool
    active: bool
    """Whether the user is in the world now."""
    color: str | None
    avatar: str | None


class PlayersAnswer(TypedDict):
    """What a world answers to `players`."""

    type: Literal["players-result"]
    requestId: str
    users: list[PlayersAnswerUsers]


class WorldInfoAnswerDataWorld(TypedDict):
    id: str
    title: str


class WorldInfoAnswerDataSystem(TypedDict):
    id: str
    title: str
    version: str


class WorldInfoAnswerDataModules(TypedDict):
    id: str
    title: str
    version: str
    active: bool


class WorldInfoAnswerDataUsers(TypedDict):
    id: str
    name: str
    role: int
    """0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM."""
    isGM: bool
    active: bool
    """Whether the user is in the world now."""
    color: str | None
    avatar: str | None


class WorldInfoAnswerDataActiveScene(TypedDict):
    id: str
    name: str


class WorldInfoAnswerData(TypedDict):
    world: WorldInfoAnswerDataWorld
    system: WorldInfoAnswerDataSystem
    tabletopVersion: str
    """Version of the tabletop application."""
    foundryVersion: NotRequired[str]
    """The same, by the name that today’s modules give it."""
    modules: list[WorldInfoAnswerDataModules]
    users: list[WorldInfoAnswerDataUsers]
    activeScene: WorldInfoAnswerDataActiveScene | None
    """Null while no scene is active."""


class WorldInfoAnswer(TypedDict):
    """What a world answers to `world-info`."""

    type: Literal["world-info-result"]
    requestId: str
    data: WorldInfoAnswerData


class EntityAnswer(TypedDict):
    """What a world answers to `entity`."""

    type: Literal["entity-result"]
    requestId: str
    uuid: NotRequired[str]
    """UUID of the document, or of the last one."""
    data: dict[str, Any] | list[dict[str, Any]]


class CreateAnswer(TypedDict):
    """What a world answers to `create`."""

    type: Literal["create-result"]
    requestId: str
    uuid: str
    entity: dict[str, Any]
    """The document as it is now."""


class UpdateAnswer(TypedDict):
    """What a world answers to `update`."""

    type: Literal["update-result"]
    requestId: str
    uuid: NotRequired[str]
    """UUID of the document, or of the last one."""
    entity: list[dict[str, Any]]


class DeleteAnswer(TypedDict):
    """What a world answers to `delete`."""

    type: Literal["delete-result"]
    requestId: str
    uuid: NotRequired[str]
    """UUID of the document, or of the last one."""
    success: bool


class GiveAnswer(TypedDict):
    """What a world answers to `give`."""

    type: Literal["give-result"]
    requestId: str
    fromUuid: NotRequired[str | None]
    selected: NotRequired[bool | None]
    toUuid: NotRequired[str | None]
    quantity: NotRequired[float | None]
    """How many the receiver has now."""
    itemUuid: NotRequired[str | None]
    newItemId: NotRequired[str]
    """Id of the item on the receiver."""
    success: bool


class RemoveAnswer(TypedDict):
    """What a world answers to `remove`."""

    type: Literal["remove-result"]
    requestId: str
    actorUuid: NotRequired[str | None]
    itemUuid: NotRequired[str | None]
    quantity: NotRequired[float | None]
    success: bool


class IncreaseAnswerResults(TypedDict):
    uuid: str
    attribute: str
    oldValue: float
    newValue: float
    """As it was asked for; the system may hold it to its own bounds."""


class IncreaseAnswer(TypedDict):
    """What a world answers to `increase`."""

    type: Literal["increase-result"]
    requestId: str
    results: list[IncreaseAnswerResults]
    success: bool


class DecreaseAnswerResults(TypedDict):
    uuid: str
    attribute: str
    oldValue: float
    newValue: float
    """As it was asked for; the system may hold it to its own bounds."""


class DecreaseAnswer(TypedDict):
    """What a world answers to `decrease`."""

    type: Literal["decrease-result"]
    requestId: str
    results: list[DecreaseAnswerResults]
    success: bool


class KillAnswerResults(TypedDict):
    uuid: str
    success: bool
    message: str


class KillAnswer(TypedDict):
    """What a world answers to `kill`."""

    type: Literal["kill-result"]
    requestId: str
    results: list[KillAnswerResults]


class SearchAnswerResults(TypedDict):
    uuid: str
    id: NotRequired[str | None]
    name: NotRequired[str | None]
    img: NotRequired[str | None]
    documentType: NotRequired[str | None]
    subType: NotRequired[str | None]
    icon: NotRequired[Any]
    """An image’s path, or markup."""
    folder: NotRequired[Any]
    """Id of the folder, or what the module says of it."""
    package: NotRequired[str | None]
    packageName: NotRequired[str | None]
    journalLink: NotRequired[str | None]
    tagline: NotRequired[str | None]
    formattedMatch: NotRequired[str | None]
    resultType: NotRequired[str | None]


class SearchAnswer(TypedDict):
    """What a world answers to `search`."""

    type: Literal["search-result"]
    requestId: str
    clientId: NotRequired[Any]
    """What today’s modules echo: nothing."""
    query: NotRequired[str | None]
    filter: NotRequired[Any]
    """The filter, as it was given."""
    results: list[SearchAnswerResults]


class StructureAnswerData(TypedDict):
    folders: NotRequired[dict[str, Any] | list[Any]]
    """Folders by name, each with `id`, `uuid`, `type`, `folders` and `entities`."""
    entities: NotRequired[dict[str, Any] | list[Any]]
    """What lies in no folder, by kind."""
    compendiumPacks: NotRequired[dict[str, Any] | list[Any]]
    """Packs by label."""
    compendium: NotRequired[dict[str, Any] | list[Any]]
    """With `path`: the pack."""


class StructureAnswer(TypedDict):
    """What a world answers to `structure`."""

    type: Literal["structure-result"]
    requestId: str
    data: StructureAnswerData


class GetFolderAnswerDataContents(TypedDict):
    uuid: str
    id: str
    name: str
    type: NotRequired[str | None]
    img: NotRequired[str | None]


class GetFolderAnswerData(TypedDict):
    id: str
    uuid: str
    name: str
    type: str
    parentFolder: NotRequired[str | None]
    contents: list[GetFolderAnswerDataContents]


class GetFolderAnswer(TypedDict):
    """What a world answers to `get-folder`."""

    type: Literal["get-folder-result"]
    requestId: str
    data: GetFolderAnswerData


class CreateFolderAnswerData(TypedDict):
    id: str
    uuid: str
    name: str
    type: str
    parentFolder: NotRequired[str | None]


class CreateFolderAnswer(TypedDict):
    """What a world answers to `create-folder`."""

    type: Literal["create-folder-result"]
    requestId: str
    data: CreateFolderAnswerData


class DeleteFolderAnswerData(TypedDict):
    deleted: bool
    folderId: str
    entitiesDeleted: int
    foldersDeleted: int


class DeleteFolderAnswer(TypedDict):
    """What a world answers to `delete-folder`."""

    type: Literal["delete-folder-result"]
    requestId: str
    data: DeleteFolderAnswerData


class GetUsersAnswerData(TypedDict):
    id: str
    name: str
    role: int
    """0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM."""
    isGM: bool
    active: bool
    """Whether the user is in the world now."""
    color: str | None
    avatar: str | None
    character: str | None


class GetUsersAnswer(TypedDict):
    """What a world answers to `get-users`."""

    type: Literal["get-users-result"]
    requestId: str
    data: list[GetUsersAnswerData]


class GetUserAnswerData(TypedDict):
    id: str
    name: str
    role: int
    """0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM."""
    isGM: bool
    active: bool
    """Whether the user is in the world now."""
    color: str | None
    avatar: str | None
    character: str | None


class GetUserAnswer(TypedDict):
    """What a world answers to `get-user`."""

    type: Literal["get-user-result"]
    requestId: str
    data: GetUserAnswerData


class CreateUserAnswerData(TypedDict):
    id: str
    name: str
    role: int
    """0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM."""
    isGM: bool
    active: bool
    """Whether the user is in the world now."""
    color: str | None
    avatar: str | None
    character: str | None


class CreateUserAnswer(TypedDict):
    """What a world answers to `create-user`."""

    type: Literal["create-user-result"]
    requestId: str
    data: CreateUserAnswerData


class UpdateUserAnswerData(TypedDict):
    id: str
    name: str
    role: int
    """0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM."""
    isGM: bool
    active: bool
    """Whether the user is in the world now."""
    color: str | None
    avatar: str | None
    character: str | None


class UpdateUserAnswer(TypedDict):
    """What a world answers to `update-user`."""

    type: Literal["update-user-result"]
    requestId: str
    data: UpdateUserAnswerData


class DeleteUserAnswer(TypedDict):
    """What a world answers to `delete-user`."""

    type: Literal["delete-user-result"]
    requestId: str
    success: bool


class GetStatusEffectsAnswerDataEffects(TypedDict):
    id: str
    name: str
    icon: NotRequired[str | None]


class GetStatusEffectsAnswerData(TypedDict):
    effects: list[GetStatusEffectsAnswerDataEffects]


class GetStatusEffectsAnswer(TypedDict):
    """What a world answers to `get-status-effects`."""

    type: Literal["get-status-effects-result"]
    requestId: str
    data: GetStatusEffectsAnswerData


class GetEffectsAnswerDataEffects(TypedDict):
    id: str
    uuid: str
    name: str
    icon: NotRequired[str | None]
    disabled: bool
    duration: NotRequired[Any]
    statuses: list[str]
    changes: list[Any]
    origin: NotRequired[str | None]


class GetEffectsAnswerData(TypedDict):
    uuid: str
    effects: list[GetEffectsAnswerDataEffects]


class GetEffectsAnswer(TypedDict):
    """What a world answers to `get-effects`."""

    type: Literal["get-effects-result"]
    requestId: str
    data: GetEffectsAnswerData


class AddEffectAnswerDataEffect(TypedDict):
    id: str
    uuid: str
    name: str
    icon: NotRequired[str | None]
    statuses: NotRequired[list[str]]


class AddEffectAnswerData(TypedDict):
    uuid: str
    effect: NotRequired[AddEffectAnswerDataEffect | None]


class AddEffectAnswer(TypedDict):
    """What a world answers to `add-effect`."""

    type: Literal["add-effect-result"]
    requestId: str
    data: AddEffectAnswerData


class RemoveEffectAnswerData(TypedDict):
    uuid: str
    removedEffectId: NotRequired[str | None]


class RemoveEffectAnswer(TypedDict):
    """What a world answers to `remove-effect`."""

    type: Literal["remove-effect-result"]
    requestId: str
    data: RemoveEffectAnswerData


class RollsAnswerDataDice(TypedDict):
    faces: NotRequired[float | None]
    results: NotRequired[list[Any]]


class RollsAnswerData(TypedDict):
    id: NotRequired[str | None]
    messageId: NotRequired[str | None]
    user: NotRequired[Any]
    """The user who rolled: `id` and `name`."""
    speaker: NotRequired[Any]
    """In whose name it was rolled."""
    flavor: NotRequired[str | None]
    rollTotal: NotRequired[float | None]
    formula: NotRequired[str | None]
    isCritical: NotRequired[bool | None]
    isFumble: NotRequired[bool | None]
    dice: NotRequired[list[RollsAnswerDataDice]]
    timestamp: NotRequired[float | None]


class RollsAnswer(TypedDict):
    """What a world answers to `rolls`."""

    type: Literal["rolls-result"]
    requestId: str
    data: list[RollsAnswerData]


class LastRollAnswerDataDice(TypedDict):
    faces: NotRequired[float | None]
    results: NotRequired[list[Any]]


class LastRollAnswerData(TypedDict):
    id: NotRequired[str | None]
    messageId: NotRequired[str | None]
    user: NotRequired[Any]
    """The user who rolled: `id` and `name`."""
    speaker: NotRequired[Any]
    """In whose name it was rolled."""
    flavor: NotRequired[str | None]
    rollTotal: NotRequired[float | None]
    formula: NotRequired[str | None]
    isCritical: NotRequired[bool | None]
    isFumble: NotRequired[bool | None]
    dice: NotRequired[list[LastRollAnswerDataDice]]
    timestamp: NotRequired[float | None]


class LastRollAnswer(TypedDict):
    """What a world answers to `last-roll`."""

    type: Literal["last-roll-result"]
    requestId: str
    data: NotRequired[LastRollAnswerData | None]
    """Null while nothing was rolled."""


class RollAnswerDataRollDice(TypedDict):
    faces: NotRequired[float | None]
    results: NotRequired[list[Any]]


class RollAnswerDataRoll(TypedDict):
    formula: str
    total: float
    isCritical: NotRequired[bool | None]
    isFumble: NotRequired[bool | None]
    dice: NotRequired[list[RollAnswerDataRollDice]]
    timestamp: NotRequired[float]


class RollAnswerData(TypedDict):
    id: NotRequired[str | None]
    chatMessageCreated: NotRequired[bool | None]
    roll: RollAnswerDataRoll


class RollAnswer(TypedDict):
    """What a world answers to `roll`."""

    type: Literal["roll-result"]
    requestId: str
    success: bool
    data: RollAnswerData


class ChatMessagesAnswerDataMessagesAuthor(TypedDict):
    id: str
    name: str


class ChatMessagesAnswerDataMessagesRolls(TypedDict):
    formula: NotRequired[str | None]
    total: NotRequired[float | None]
    isCritical: NotRequired[bool | None]
    isFumble: NotRequired[bool | None]
    dice: NotRequired[list[Any]]


class ChatMessagesAnswerDataMessages(TypedDict):
    id: str
    uuid: str
    content: str
    """HTML."""
    speaker: NotRequired[dict[str, Any] | None]
    timestamp: float
    """Epoch milliseconds."""
    whisper: list[str]
    """Ids of the users who alone see it."""
    type: NotRequired[Any]
    """Its style: a number, or a name."""
    author: NotRequired[ChatMessagesAnswerDataMessagesAuthor | None]
    """Null for a user who is gone."""
    flavor: NotRequired[str | None]
    isRoll: NotRequired[bool]
    rolls: NotRequired[list[ChatMessagesAnswerDataMessagesRolls]]
    flags: NotRequired[dict[str, Any] | None]


class ChatMessagesAnswerData(TypedDict):
    messages: list[ChatMessagesAnswerDataMessages]
    total: int
    """How many there are in all."""
    offset: int
    limit: int


class ChatMessagesAnswer(TypedDict):
    """What a world answers to `chat-messages`."""

    type: Literal["chat-messages-result"]
    requestId: str
    success: bool
    data: ChatMessagesAnswerData


class ChatSendAnswerDataAuthor(TypedDict):
    id: str
    name: str


class ChatSendAnswerDataRolls(TypedDict):
    formula: NotRequired[str | None]
    total: NotRequired[float | None]
    isCritical: NotRequired[bool | None]
    isFumble: NotRequired[bool | None]
    dice: NotRequired[list[Any]]


class ChatSendAnswerData(TypedDict):
    id: str
    uuid: str
    content: str
    """HTML."""
    speaker: NotRequired[dict[str, Any] | None]
    timestamp: float
    """Epoch milliseconds."""
    whisper: list[str]
    """Ids of the users who alone see it."""
    type: NotRequired[Any]
    """Its style: a number, or a name."""
    author: NotRequired[ChatSendAnswerDataAuthor | None]
    """Null for a user who is gone."""
    flavor: NotRequired[str | None]
    isRoll: NotRequired[bool]
    rolls: NotRequired[list[ChatSendAnswerDataRolls]]
    flags: NotRequired[dict[str, Any] | None]


class ChatSendAnswer(TypedDict):
    """What a world answers to `chat-send`."""

    type: Literal["chat-send-result"]
    requestId: str
    success: bool
    data: ChatSendAnswerData


class ChatDeleteAnswerData(TypedDict):
    messageId: str


class ChatDeleteAnswer(TypedDict):
    """What a world answers to `chat-delete`."""

    type: Literal["chat-delete-result"]
    requestId: str
    success: bool
    data: ChatDeleteAnswerData


class ChatFlushAnswerData(TypedDict):
    message: str


class ChatFlushAnswer(TypedDict):
    """What a world answers to `chat-flush`."""

    type: Literal["chat-flush-result"]
    requestId: str
    success: bool
    data: ChatFlushAnswerData


class MacrosAnswerMacros(TypedDict):
    uuid: str
    id: NotRequired[str]
    name: str
    type: NotRequired[str | None]
    author: NotRequired[Any]
    """The user who wrote it: an id, or a name."""
    command: NotRequired[str | None]
    img: NotRequired[str | None]
    scope: NotRequired[str | None]
    canExecute: NotRequired[bool]
    """Whether the acting user may run it."""


class MacrosAnswer(TypedDict):
    """What a world answers to `macros`."""

    type: Literal["macros-result"]
    requestId: str
    macros: list[MacrosAnswerMacros]


class MacroExecuteAnswer(TypedDict):
    """What a world answers to `macro-execute`."""

    type: Literal["macro-execute-result"]
    requestId: str
    uuid: NotRequired[str]
    success: bool
    result: NotRequired[Any]
    """What the macro returned."""


class ExecuteJsAnswer(TypedDict):
    """What a world answers to `execute-js`."""

    type: Literal["execute-js-result"]
    requestId: str
    success: bool
    result: NotRequired[Any]
    """What the script returned."""


class FileSystemAnswerResults(TypedDict):
    name: str
    path: str
    type: str
    """`file` or `directory`."""


class FileSystemAnswer(TypedDict):
    """What a world answers to `file-system`."""

    type: Literal["file-system-result"]
    requestId: str
    success: bool
    path: NotRequired[str]
    source: NotRequired[str]
    results: list[FileSystemAnswerResults]
    recursive: NotRequired[bool]


class UploadFileAnswer(TypedDict):
    """What a world answers to `upload-file`."""

    type: Literal["upload-file-result"]
    requestId: str
    success: bool
    path: NotRequired[str]
    """Where the file is now."""


class GetSceneAnswer(TypedDict):
    """What a world answers to `get-scene`."""

    type: Literal["get-scene-result"]
    requestId: str
    data: dict[str, Any] | list[dict[str, Any]]


class CreateSceneAnswer(TypedDict):
    """What a world answers to `create-scene`."""

    type: Literal["create-scene-result"]
    requestId: str
    data: dict[str, Any]
    """The scene as it is now."""


class UpdateSceneAnswer(TypedDict):
    """What a world answers to `update-scene`."""

    type: Literal["update-scene-result"]
    requestId: str
    data: dict[str, Any]
    """The scene as it is now."""


class DeleteSceneAnswer(TypedDict):
    """What a world answers to `delete-scene`."""

    type: Literal["delete-scene-result"]
    requestId: str
    success: bool


class SwitchSceneAnswer(TypedDict):
    """What a world answers to `switch-scene`."""

    type: Literal["switch-scene-result"]
    requestId: str
    success: bool
    data: dict[str, Any]
    """The scene as it is now."""


class GetCanvasDocumentsAnswer(TypedDict):
    """What a world answers to `get-canvas-documents`."""

    type: Literal["get-canvas-documents-result"]
    requestId: str
    sceneId: str
    documentType: str
    data: list[dict[str, Any]]


class CreateCanvasDocumentAnswer(TypedDict):
    """What a world answers to `create-canvas-document`."""

    type: Literal["create-canvas-document-result"]
    requestId: str
    sceneId: str
    documentType: str
    data: list[dict[str, Any]]


class UpdateCanvasDocumentAnswer(TypedDict):
    """What a world answers to `update-canvas-document`."""

    type: Literal["update-canvas-document-result"]
    requestId: str
    sceneId: str
    documentType: str
    data: list[dict[str, Any]]


class DeleteCanvasDocumentAnswer(TypedDict):
    """What a world answers to `delete-canvas-document`."""

    type: Literal["delete-canvas-document-result"]
    requestId: str
    sceneId: str
    documentType: str
    success: bool


class MoveTokenWaypoints(TypedDict):
    x: float
    y: float


class MoveTokenAnswerData(TypedDict):
    tokenUuid: str
    name: str
    x: float
    y: float
    sceneId: str


class MoveTokenAnswer(TypedDict):
    """What a world answers to `move-token`."""

    type: Literal["move-token-result"]
    requestId: str
    data: MoveTokenAnswerData


class MeasureDistanceAnswerDataOrigin(TypedDict):
    x: float
    y: float


class MeasureDistanceAnswerDataTarget(TypedDict):
    x: float
    y: float


class MeasureDistanceAnswerData(TypedDict):
    distance: float
    """By the scene’s rule for diagonals."""
    units: str
    """For example `ft`."""
    origin: MeasureDistanceAnswerDataOrigin
    target: MeasureDistanceAnswerDataTarget
    sceneId: str


class MeasureDistanceAnswer(TypedDict):
    """What a world answers to `measure-distance`."""

    type: Literal["measure-distance-result"]
    requestId: str
    data: MeasureDistanceAnswerData


class GetPlaylistsAnswerDataPlaylistsSounds(TypedDict):
    id: str
    name: str
    path: NotRequired[str | None]
    """Path or address of the file."""
    playing: bool
    volume: NotRequired[float | None]
    """0 to 1."""
    repeat: NotRequired[bool]
    fade: NotRequired[float | None]
    """Milliseconds."""


class GetPlaylistsAnswerDataPlaylists(TypedDict):
    id: str
    name: str
    description: NotRequired[str | None]
    playing: bool
    mode: NotRequired[float | None]
    """-1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once."""
    fade: NotRequired[float | None]
    """Milliseconds."""
    folder: NotRequired[str | None]
    """Id of the folder."""
    sorting: NotRequired[str | None]
    """`a` by name, `m` by hand."""
    sounds: list[GetPlaylistsAnswerDataPlaylistsSounds]


class GetPlaylistsAnswerData(TypedDict):
    playlists: list[GetPlaylistsAnswerDataPlaylists]


class GetPlaylistsAnswer(TypedDict):
    """What a world answers to `get-playlists`."""

    type: Literal["get-playlists-result"]
    requestId: str
    data: GetPlaylistsAnswerData


class PlaylistPlayAnswerDataPlaylistSounds(TypedDict):
    id: str
    name: str
    path: NotRequired[str | None]
    """Path or address of the file."""
    playing: bool
    volume: NotRequired[float | None]
    """0 to 1."""
    repeat: NotRequired[bool]
    fade: NotRequired[float | None]
    """Milliseconds."""


class PlaylistPlayAnswerDataPlaylist(TypedDict):
    id: str
    name: str
    description: NotRequired[str | None]
    playing: bool
    mode: NotRequired[float | None]
    """-1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once."""
    fade: NotRequired[float | None]
    """Milliseconds."""
    folder: NotRequired[str | None]
    """Id of the folder."""
    sorting: NotRequired[str | None]
    """`a` by name, `m` by hand."""
    sounds: list[PlaylistPlayAnswerDataPlaylistSounds]


class PlaylistPlayAnswerData(TypedDict):
    playlist: PlaylistPlayAnswerDataPlaylist


class PlaylistPlayAnswer(TypedDict):
    """What a world answers to `playlist-play`."""

    type: Literal["playlist-play-result"]
    requestId: str
    data: PlaylistPlayAnswerData


class PlaylistStopAnswerDataPlaylistSounds(TypedDict):
    id: str
    name: str
    path: NotRequired[str | None]
    """Path or address of the file."""
    playing: bool
    volume: NotRequired[float | None]
    """0 to 1."""
    repeat: NotRequired[bool]
    fade: NotRequired[float | None]
    """Milliseconds."""


class PlaylistStopAnswerDataPlaylist(TypedDict):
    id: str
    name: str
    description: NotRequired[str | None]
    playing: bool
    mode: NotRequired[float | None]
    """-1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once."""
    fade: NotRequired[float | None]
    """Milliseconds."""
    folder: NotRequired[str | None]
    """Id of the folder."""
    sorting: NotRequired[str | None]
    """`a` by name, `m` by hand."""
    sounds: list[PlaylistStopAnswerDataPlaylistSounds]


class PlaylistStopAnswerData(TypedDict):
    playlist: PlaylistStopAnswerDataPlaylist


class PlaylistStopAnswer(TypedDict):
    """What a world answers to `playlist-stop`."""

    type: Literal["playlist-stop-result"]
    requestId: str
    data: PlaylistStopAnswerData


class PlaylistNextAnswerDataPlaylistSounds(TypedDict):
    id: str
    name: str
    path: NotRequired[str | None]
    """Path or address of the file."""
    playing: bool
    volume: NotRequired[float | None]
    """0 to 1."""
    repeat: NotRequired[bool]
    fade: NotRequired[float | None]
    """Milliseconds."""


class PlaylistNextAnswerDataPlaylist(TypedDict):
    id: str
    name: str
    description: NotRequired[str | None]
    playing: bool
    mode: NotRequired[float | None]
    """-1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once."""
    fade: NotRequired[float | None]
    """Milliseconds."""
    folder: NotRequired[str | None]
    """Id of the folder."""
    sorting: NotRequired[str | None]
    """`a` by name, `m` by hand."""
    sounds: list[PlaylistNextAnswerDataPlaylistSounds]


class PlaylistNextAnswerData(TypedDict):
    playlist: PlaylistNextAnswerDataPlaylist


class PlaylistNextAnswer(TypedDict):
    """What a world answers to `playlist-next`."""

    type: Literal["playlist-next-result"]
    requestId: str
    data: PlaylistNextAnswerData


class PlaylistVolumeAnswerDataPlaylistSounds(TypedDict):
    id: str
    name: str
    path: NotRequired[str | None]
    """Path or address of the file."""
    playing: bool
    volume: NotRequired[float | None]
    """0 to 1."""
    repeat: NotRequired[bool]
    fade: NotRequired[float | None]
    """Milliseconds."""


class PlaylistVolumeAnswerDataPlaylist(TypedDict):
    id: str
    name: str
    description: NotRequired[str | None]
    playing: bool
    mode: NotRequired[float | None]
    """-1 one sound on demand, 0 one after the other, 1 shuffled, 2 all at once."""
    fade: NotRequired[float | None]
    """Milliseconds."""
    folder: NotRequired[str | None]
    """Id of the folder."""
    sorting: NotRequired[str | None]
    """`a` by name, `m` by hand."""
    sounds: list[PlaylistVolumeAnswerDataPlaylistSounds]


class PlaylistVolumeAnswerData(TypedDict):
    playlist: PlaylistVolumeAnswerDataPlaylist


class PlaylistVolumeAnswer(TypedDict):
    """What a world answers to `playlist-volume`."""

    type: Literal["playlist-volume-result"]
    requestId: str
    data: PlaylistVolumeAnswerData


class PlaySoundAnswerData(TypedDict):
    src: str
    volume: float
    loop: bool


class PlaySoundAnswer(TypedDict):
    """What a world answers to `play-sound`."""

    type: Literal["play-sound-result"]
    requestId: str
    data: PlaySoundAnswerData


class StopSoundAnswerData(TypedDict):
    stopped: float
    """How many were playing."""
    src: NotRequired[str | None]


class StopSoundAnswer(TypedDict):
    """What a world answers to `stop-sound`."""

    type: Literal["stop-sound-result"]
    requestId: str
    data: StopSoundAnswerData
