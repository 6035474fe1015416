"""The words that generated rules and texts are made of.

`ORDINARY` words occur in both. Every generated condition needs a `TELLTALE` to match, and no generated text has one: so
texts trigger nothing, as most of an agent's output does, while they start a great many matches.
"""


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


ORDINARY = words("""
account action active adapter address agent alias amount answer archive argument array assert async attach author
backup balance banner batch begin binary block board body bottom branch bridge broker browser bucket budget buffer
build bundle button cache calendar callback cancel capacity card cart catalog category chain change channel chapter
charge check child choice chunk circle class clean client clock close cluster code collect color column command
comment commit common compare compile complete compute config confirm connect console const constant contact
container content context control convert cookie copy core count counter country cover create credit cursor customer
cycle data date debug decode default define delay delete deliver demand depth describe design detail detect device
dialog diff digest direct disable discount display document domain download draft driver duration edit effect
element email empty enable encode engine entity entry error escape estimate event example except execute exist
expand expect export express extend extract factor failure feature fetch field figure file filter final find finish
fixed flag float flow focus folder follow force format forward frame friend function future gateway general global
graph grid group guard handle header health height hidden history holder host human icon ignore image import index
infer inform inner input insert inspect install instance integer intent internal invoice issue item iterate join
journal keyword label language large launch layer layout leader ledger length level library license limit line link
list listen loader local lock logger login machine main manage map margin mark match matrix measure media member
memory merge message method metric middle minute mirror missing mobile model modify module monitor month mount move
native nested network node normal notice number object observe offer offset online open operate option order origin
output owner package page panel parent parse partial partner patch path pattern payment pending period person phone
pipeline player plugin point policy pool portal position preview price primary print priority private process
product profile program progress project promise prompt property provider proxy public publish purchase query queue
quick quote random range rate ratio reader ready reason record reduce refer refresh region register reject relation
release remote remove render repeat replace reply report request require reset resolve resource response restore
result resume retry return reverse review right role rollback root route rule runner sample scale schedule schema
scope score screen script scroll search season second secret section secure segment select sender sequence serial
series server service session setting shadow shape share shell shift signal silent simple single site size sleep
slice slot socket solution sort source space special split stack stage standard start state static status step stock
storage store stream string strong student style subject submit success suffix summary supply support survey switch
symbol sync syntax system table target task team template tenant test text theme thread timeout title token tool
topic total trace track traffic train transfer transform tree trigger trust type union unique unit update upgrade
upload usage user valid value vendor verify version video view visible visit volume voucher wait warning watch
weight width window wizard worker wrapper writer zone
""")

TELLTALES = words("""
lodash moment jquery underscore bluebird request-promise leftpad axios superagent mockgoose enzyme sinon bower grunt
eval execSync dangerouslySetInnerHTML innerHTML outerHTML insertAdjacentHTML document.write unescape deepEqual
pickle.loads yaml.load os.system subprocess.call shell=True md5 sha1 DES ECB Math.random rand Thread.sleep
setTimeout unwrap expect_err panic unimplemented todo transmute mem::forget unsafe goto longjmp strcpy strcat
sprintf gets TODO FIXME XXX HACK WIP TBD NOCOMMIT noqa nolint ts-ignore ts-nocheck eslint-disable pylint pragma
istanbul absolutely apologize unfortunately delve tapestry leverage seamless robust holistic synergy paradigm
furthermore hallucinate placeholder simplified omitted truncated unchanged elided force-push --no-verify --force
rm-rf sudo chmod777 curl|sh DROP TRUNCATE GRANT REVOKE XACT_ABORT NOLOCK AKIA ghp_ xoxb- sk_live_ BEGIN_RSA
password= passwd secret_key api_key Bearer println NSLog fmt.Println console.trace debugger alert binding.pry byebug
dbg var_dump print_r foobar bazqux lorem ipsum acme example.org localhost:3000 127.0.0.1 changeme hunter2 Singleton
Helper2 Utils2 ManagerImpl AbstractFactoryBean doStuff handleIt tmp2 newNew oldOld
""")
